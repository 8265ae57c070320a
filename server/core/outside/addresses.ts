import { lookup as lookupName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

/** A private network that connections may reach. It is opened for all organisations of the installation. */
export type OpenedNetwork = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** A failed connection to another system, or an answer that cannot be used, as one sentence for users. */
export class OutsideError extends Error {
  /** The HTTP status, if there was an answer. Nothing else of the answer is stored. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

/**
 * The private networks that `OUTBOUND_NETWORKS` opens, such as `10.20.0.0/16, 127.0.0.1/32`.
 * @throws Error with one sentence for an invalid network
 */
export function parseOpenedNetworks(text: string | undefined): OpenedNetwork[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      if (!ipaddr.isValidCIDR(part))
        throw new Error(`OUTBOUND_NETWORKS contains ${part}. Write networks as 10.20.0.0/16, separated by commas.`)
      return ipaddr.parseCIDR(part)
    })
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly OpenedNetwork[]): boolean {
  return networks.some(([network, bits]) =>
    address instanceof ipaddr.IPv4
      ? network instanceof ipaddr.IPv4 && address.match(network, bits)
      : network instanceof ipaddr.IPv6 && address.match(network, bits),
  )
}

/**
 * Whether an address is in a network that this installation opens.
 * @param address an IP address
 */
export function isOpenedAddress(address: string, networks: readonly OpenedNetwork[]): boolean {
  return ipaddr.isValid(address) && isWithin(ipaddr.process(address), networks)
}

/** Only this range of IPv6 is assigned. Addresses outside it may embed an IPv4 address (`::127.0.0.1`). */
const assignedRange = ipaddr.parseCIDR('2000::/3')

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || isWithin(address, [assignedRange]))
}

/**
 * Whether a connection to an address is allowed: on the public internet, or in an opened network. Private, link-local,
 * loopback, multicast and reserved addresses, and those that embed one, are the targets of server-side request forgery.
 */
export function isAddressAllowed(address: string, networks: readonly OpenedNetwork[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  return isPublic(plain) || isWithin(plain, networks)
}

/**
 * Resolves names for connections. Each address is checked when connecting, and the connection uses the checked address, so a name that
 * later resolves to another address (DNS rebinding) cannot bypass the check.
 * @param may whether a connection to an address is allowed
 * @param resolve how names are resolved; replaced only in tests
 */
export function createGuardedLookup(may: (address: string) => boolean, resolve: typeof lookupName = lookupName): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      // On an error there are no addresses, despite the type.
      const addresses = error ? [] : found
      if (!addresses.length) return done(new OutsideError(`${hostname} has no address.`), '', 0)
      if (!addresses.every(({ address }) => may(address))) return done(new OutsideError(describePrivateNetwork(hostname)), '', 0)
      if (options.all) return done(null, addresses)
      return done(null, assertDefined(addresses[0]).address, assertDefined(addresses[0]).family)
    })
  }
}

/** The sentence for a name that resolves to an address in a private network. */
export function describePrivateNetwork(hostname: string): string {
  return `${hostname} is on a private network, which this installation does not allow (OUTBOUND_NETWORKS).`
}

/** A host without the brackets of IPv6, and whether it is an IP address, which needs no lookup. */
export function parseHost(host: string): { host: string; isAddress: boolean } {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return { host: bare, isAddress: isIP(bare) !== 0 }
}

/** Milliseconds that a lookup may take, because a user is waiting for a save. */
const longestLookupMs = 3000

/**
 * Why requests to a URL would be refused, as far as can be known in advance: no request is made, and the name is resolved and checked again
 * at every connection.
 * @returns one sentence, or null
 */
export async function findAddressProblem(
  address: string,
  networks: readonly OpenedNetwork[],
  resolve?: typeof lookupName,
): Promise<string | null> {
  const { protocol, hostname } = new URL(address)
  const { host, isAddress } = parseHost(hostname)
  const isSecure = protocol === 'https:'
  if (!isSecure && !networks.length) return `${host}: enter an https address.`
  const may = (found: string): boolean => (isSecure ? isAddressAllowed(found, networks) : isOpenedAddress(found, networks))
  if (isAddress) return may(host) ? null : describePrivateNetwork(host)
  return new Promise((done) => {
    const late = setTimeout(() => done(`${host} could not be looked up in time. Try again.`), longestLookupMs)
    createGuardedLookup(may, resolve)(host, { all: true }, (error) => {
      clearTimeout(late)
      done(error ? (error instanceof OutsideError ? error.message : `${host} has no address.`) : null)
    })
  })
}
