import { join } from 'node:path'
import { z } from 'zod'
import { fillInParameterDefaults, type ParameterValues, usesServerFolder } from '../../../../domain/integrations/credentials.ts'
import { integrationType } from '../../../../domain/lookups/lookupIds.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { type OpenedNetwork, OutsideError } from '../../../core/outside/addresses.ts'
import { createSftpFolder, type ExchangeFolder, type OutsideAccess, withServerFolder } from '../../../core/outside/exchangeFolder.ts'
import { sendRequest } from '../../../core/outside/request.ts'
import { type SftpServer, withSftpConnection } from '../../../core/outside/sftp.ts'

const tokenReply = z.object({ access_token: z.string().min(1).max(10_000), token_type: z.string().optional() })

/** Requests a token by the client credentials grant (RFC 6749 §4.4). @throws OutsideError if none is issued */
async function requestToken(values: ParameterValues, networks: readonly OpenedNetwork[]): Promise<string> {
  const { tokenAddress, clientId, clientSecret, tokenScope } = values
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(tokenScope ? { scope: tokenScope } : {}) })
  const encoded = (text: string): string => encodeURIComponent(text)
  const answer = await sendRequest(
    {
      method: 'POST',
      url: assertDefined(tokenAddress),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${Buffer.from(`${encoded(assertDefined(clientId))}:${encoded(assertDefined(clientSecret))}`).toString('base64')}`,
      },
      body: body.toString(),
    },
    networks,
  )
  const host = new URL(assertDefined(tokenAddress)).hostname
  if (answer.status !== 200)
    throw new OutsideError(`${host} did not return a token: it responded with ${answer.status}. Check the client ID, secret and scope.`)
  const read = tokenReply.safeParse(parsed(answer.body))
  if (!read.success || !/^[\x21-\x7e]+$/.test(read.data.access_token)) throw new OutsideError(`${host} responded, but not with a token.`)
  return read.data.access_token
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The headers that authenticate the organisation at a web service.
 * @throws OutsideError if no token is issued
 */
export async function buildAuthenticationHeaders(
  values: ParameterValues,
  networks: readonly OpenedNetwork[],
): Promise<Record<string, string>> {
  if (values.signIn === 'apiKey') return { [assertDefined(values.keyHeader)]: assertDefined(values.apiKey) }
  if (values.signIn === 'oauth2') return { Authorization: `Bearer ${await requestToken(values, networks)}` }
  return {}
}

async function tryWebService(values: ParameterValues, networks: readonly OpenedNetwork[]): Promise<string> {
  const { address } = values
  const { status } = await sendRequest(
    { method: 'GET', url: assertDefined(address), headers: await buildAuthenticationHeaders(values, networks) },
    networks,
  )
  const host = new URL(assertDefined(address)).hostname
  if (status === 401 || status === 403) throw new OutsideError(`${host} rejected the sign-in: it responded with ${status}.`)
  if (status < 200 || status > 299) throw new OutsideError(`${host} responded with ${status}. Check the address.`)
  return `${host} answered.`
}

/** The SFTP server in a link's settings. */
function toSftpServer({ host, port, fingerprint, user, password, privateKey }: ParameterValues): SftpServer {
  return {
    host: assertDefined(host),
    port: Number(port),
    fingerprint: assertDefined(fingerprint),
    user: assertDefined(user),
    password: assertDefined(password),
    privateKey: assertDefined(privateKey),
  }
}

/** A folder in which an organisation exchanges files, and how many milliseconds the work in it may take in total. */
interface LinkFolder {
  organisationId: OrganisationId
  values: ParameterValues
  /** Relative to the folder of the link. */
  path: string
  mostMs: number
}

/** Opens the folder of a link, does some work in it and disconnects. @throws OutsideError with a message for users */
export function withLinkFolder<T>(
  { organisationId, values, path, mostMs }: LinkFolder,
  { networks, exchangeDir }: OutsideAccess,
  work: (room: ExchangeFolder) => Promise<T>,
): Promise<T> {
  const folder = [assertDefined(values.folder), path]
    .filter(Boolean)
    .join('/')
    .replace(/\/{2,}/g, '/')
  if (usesServerFolder(values)) return withServerFolder({ exchangeDir, organisationId, folder }, work)
  return withSftpConnection(toSftpServer(values), { networks, work: (sftp) => work(createSftpFolder(sftp, folder)), mostMs })
}

async function tryFileExchange(
  organisationId: OrganisationId,
  values: ParameterValues,
  { networks, exchangeDir }: OutsideAccess,
): Promise<string> {
  const { host, folder } = values
  if (usesServerFolder(values)) {
    await withServerFolder({ exchangeDir, organisationId, folder: assertDefined(folder) }, (room) => room.files())
    return `The folder exists: ${organisationId}${join('/', assertDefined(folder))} in the installation’s folder for files.`
  }
  await withSftpConnection(toSftpServer(values), {
    networks,
    work: async (sftp) => {
      // Check only that the folder exists. Do not list it: a server could return an endless list.
      if ((await sftp.exists(assertDefined(folder))) !== 'd') throw new OutsideError(`The folder was not found on ${host}.`)
    },
  })
  return `${host} was reached, and the folder exists.`
}

/**
 * Connects with a link's settings and disconnects. Changes nothing in the other system.
 * @returns a sentence that says what answered
 * @throws OutsideError with a message for users if it fails
 */
export function tryConnection(
  { organisationId, integrationType: type }: { organisationId: OrganisationId; integrationType: number },
  kept: ParameterValues,
  reach: OutsideAccess,
): Promise<string> {
  const values = fillInParameterDefaults(type, kept)
  if (type === integrationType.webService) return tryWebService(values, reach.networks)
  if (type === integrationType.fileExchange) return tryFileExchange(organisationId, values, reach)
  return Promise.reject(new OutsideError('This credential does not connect to anything.'))
}
