import { lookup as lookupName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

/** A network that connections may reach although it is private. It is opened for all organisations of the installation. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** A connection to another system that did not come about or was not answered rightly, as one sentence for people. */
export class OutsideError extends Error {
  /** The HTTP status, where there was an answer of which nothing else is taken. */
  readonly status: number | null

  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

/**
 * The private networks that `OUTBOUND_NETWORKS` opens, such as `10.20.0.0/16, 127.0.0.1/32`.
 * @throws Error with one sentence for what is not a network
 */
export function networksOf(text: string | undefined): Network[] {
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

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) =>
    address instanceof ipaddr.IPv4
      ? network instanceof ipaddr.IPv4 && address.match(network, bits)
      : network instanceof ipaddr.IPv6 && address.match(network, bits),
  )
}

/** Whether an address is one that this installation opened by its settings. @param address an IP address */
export function isOpened(address: string, networks: readonly Network[]): boolean {
  return ipaddr.isValid(address) && isWithin(ipaddr.process(address), networks)
}

/** Of IPv6 one range alone is given out; what lies outside of it may carry an address of the old kind (`::127.0.0.1`). */
const givenOut = ipaddr.parseCIDR('2000::/3')

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || isWithin(address, [givenOut]))
}

/**
 * Whether a connection may be made to an address: one of the public internet, or of a network that was opened. Private, link-local, loopback,
 * multicast and reserved addresses, and those that carry one of these in another form, are what a server must not be talked into reaching.
 */
export function isReachable(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  return isPublic(plain) || isWithin(plain, networks)
}

/**
 * Looks up names for connections: every address is checked at the moment of connecting and the connection goes to the one that was checked, so
 * a name that answers otherwise the second time (DNS rebinding) gains nothing.
 * @param may whether a connection may be made to an address
 * @param resolve how names are looked up; the system's way but for tests
 */
export function guardedLookup(may: (address: string) => boolean, resolve: typeof lookupName = lookupName): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      // With an error there is nothing found, whatever its type says.
      const addresses = error ? [] : found
      if (!addresses.length) return done(new OutsideError(`${hostname} has no address.`), '', 0)
      if (!addresses.every(({ address }) => may(address))) return done(new OutsideError(privateSentence(hostname)), '', 0)
      if (options.all) return done(null, addresses)
      return done(null, assertDefined(addresses[0]).address, assertDefined(addresses[0]).family)
    })
  }
}

/** What is said of a name that leads into a network that is not open. */
export function privateSentence(hostname: string): string {
  return `${hostname} leads to a private network, which this installation does not open (OUTBOUND_NETWORKS).`
}

/** The host of an address without the brackets of IPv6, and whether it is an IP address, for which no name is looked up. */
export function hostOf(host: string): { host: string; isAddress: boolean } {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return { host: bare, isAddress: isIP(bare) !== 0 }
}

/** How long a name may take to be looked up while somebody waits for what they save. */
const longestLookupMs = 3000

/**
 * What speaks against sending to an address, as far as it can be said before it is done: nothing is asked there yet, and its name is looked up
 * again, and checked again, at every connection.
 * @returns one sentence, or null
 */
export async function addressRefusal(address: string, networks: readonly Network[], resolve?: typeof lookupName): Promise<string | null> {
  const { protocol, hostname } = new URL(address)
  const { host, isAddress } = hostOf(hostname)
  const isSecure = protocol === 'https:'
  if (!isSecure && !networks.length) return `${host}: give an https address.`
  const may = (found: string): boolean => (isSecure ? isReachable(found, networks) : isOpened(found, networks))
  if (isAddress) return may(host) ? null : privateSentence(host)
  return new Promise((done) => {
    const late = setTimeout(() => done(`${host} could not be looked up in time. Try again.`), longestLookupMs)
    guardedLookup(may, resolve)(host, { all: true }, (error) => {
      clearTimeout(late)
      done(error ? (error instanceof OutsideError ? error.message : `${host} has no address.`) : null)
    })
  })
}
