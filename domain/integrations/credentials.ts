import { integrationType } from '../lookups/lookupIds.ts'
import { lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'

/**
 * Takes the place of a stored secret, which the server never sends to a client (behaviour B-249). A client that sends it back keeps the
 * secret unchanged.
 */
export const secretPlaceholder = '••••••••'

/** The most characters of a parameter value. Private keys are the longest. */
export const maximumParameterLength = 5000

const signIns = [
  { value: 'none', label: 'None' },
  { value: 'apiKey', label: 'API key' },
  { value: 'oauth2', label: 'OAuth 2 client credentials' },
] as const

/** A parameter of an integration, declared once for the form, the validation and the connection. */
export interface ParameterDeclaration {
  name: string
  label: string
  hint?: string
  /** Stored encrypted and never sent to a client. */
  isSecret?: true
  standard?: string
  choices?: readonly { value: string; label: string }[]
  /** Whether the value has several lines, such as a private key. */
  isLong?: true
  /** Whether the parameter is required, given the values of the others. */
  isNeeded?: (values: ParameterValues) => boolean
  /** The secrets that are sent to this address. If the address changes, the user must enter them again. */
  leadsTo?: readonly string[]
  /** @returns a sentence describing the problem, or null */
  check?: (value: string) => string | null
}

/** Parameter values by name; blank values are empty strings. */
export type ParameterValues = Readonly<Record<string, string>>

/** An action of an integration. The server provides its address, and the client calls it (behaviour B-247). */
export interface IntegrationAction {
  name: string
  label: string
}

const always = (): boolean => true

/** @returns a sentence that describes the problem if the text is not a web service address; otherwise null */
export function checkAddress(value: string): string | null {
  if (!URL.canParse(value)) return 'Enter the address as https://name/path.'
  const { protocol, username, password, search, hash } = new URL(value)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Enter the address as https://name/path.'
  if (username || password) return 'Enter the name and password in their own fields, not in the address.'
  // Addresses are displayed and remain in the history, so they must not contain keys.
  return search || hash ? 'Enter the address without ? or #, or anything after them. Enter a key in its own field.' : null
}

const checkPort = (value: string): string | null =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535 ? null : 'Enter a port from 1 to 65535.'

/** A host key fingerprint as printed by `ssh-keygen -lf`. */
const checkFingerprint = (value: string): string | null =>
  /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(value) ? null : 'Enter the fingerprint as SHA256: followed by 43 characters.'

/** A header name (RFC 9110 §5.6.2), excluding those that affect how a request is read. */
const checkHeaderName = (value: string): string | null =>
  /^[A-Za-z0-9-]{1,64}$/.test(value) && !/^(host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer)$/i.test(value)
    ? null
    : 'Enter the name of a header, such as Authorization or X-Api-Key.'

/** A header value is one line of visible characters. */
const checkSingleLine = (value: string): string | null =>
  /^[\x20-\x7e]*$/.test(value) ? null : 'Use unaccented letters, digits and symbols, all on one line.'

const isApiKey = ({ signIn }: ParameterValues): boolean => signIn === 'apiKey'
const isOauth = ({ signIn }: ParameterValues): boolean => signIn === 'oauth2'

const webService: readonly ParameterDeclaration[] = [
  {
    name: 'address',
    label: 'Address',
    hint: 'An address that responds to a GET, such as https://ledger.example/api/status.',
    isNeeded: always,
    check: checkAddress,
    leadsTo: ['apiKey', 'clientSecret'],
  },
  { name: 'signIn', label: 'Sign-in', choices: signIns, standard: 'none', isNeeded: always },
  { name: 'keyHeader', label: 'Header of the API key', standard: 'Authorization', check: checkHeaderName, isNeeded: isApiKey },
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'As sent in the header, with Bearer before it if the service requires that.',
    isSecret: true,
    isNeeded: isApiKey,
    check: checkSingleLine,
  },
  { name: 'tokenAddress', label: 'Token address', isNeeded: isOauth, check: checkAddress, leadsTo: ['clientSecret'] },
  { name: 'clientId', label: 'Client ID', isNeeded: isOauth, check: checkSingleLine },
  { name: 'clientSecret', label: 'Client secret', isSecret: true, isNeeded: isOauth, check: checkSingleLine },
  { name: 'tokenScope', label: 'Scope', hint: 'Leave empty if the service needs no scope.', check: checkSingleLine },
]

/** The places where files are exchanged. `folder` needs an installation that has a folder for files. */
const fileLocations = [
  { value: 'sftp', label: 'SFTP server' },
  { value: 'folder', label: 'Folder of this installation' },
] as const
const isSftp = ({ place }: ParameterValues): boolean => place === 'sftp'

/** Whether the files are in a folder of the installation. */
export const usesServerFolder = ({ place }: ParameterValues): boolean => place === 'folder'

/** The parameter that is offered only if the installation has a folder for files. */
export const fileLocationParameter = 'place'

const fileExchange: readonly ParameterDeclaration[] = [
  { name: fileLocationParameter, label: 'Where the files are', choices: fileLocations, standard: 'sftp', isNeeded: always },
  {
    name: 'host',
    label: 'SFTP server',
    hint: 'Its name, such as files.ledger.example.',
    isNeeded: isSftp,
    leadsTo: ['password'],
    check: (value) => (/^[A-Za-z0-9.:-]{1,253}$/.test(value) ? null : 'Enter the name of the server, without sftp:// or a path.'),
  },
  { name: 'port', label: 'Port', standard: '22', isNeeded: isSftp, check: checkPort, leadsTo: ['password'] },
  {
    name: 'fingerprint',
    label: 'Fingerprint of its key',
    hint: 'As ssh-keygen -lf prints it. Nothing is sent to a server with another key.',
    isNeeded: isSftp,
    check: checkFingerprint,
    leadsTo: ['password'],
  },
  { name: 'user', label: 'User', isNeeded: isSftp, check: checkSingleLine },
  {
    name: 'password',
    label: 'Password',
    isSecret: true,
    isNeeded: (values) => isSftp(values) && !values.privateKey,
    check: checkSingleLine,
  },
  {
    name: 'privateKey',
    label: 'Private key',
    hint: 'Use this instead of a password. The key must be in OpenSSH format, without a passphrase.',
    isSecret: true,
    isLong: true,
  },
  { name: 'folder', label: 'Folder', standard: '/', isNeeded: always, check: checkSingleLine },
]

const parametersByType: Readonly<Record<number, readonly ParameterDeclaration[]>> = {
  [integrationType.none]: [],
  [integrationType.fileExchange]: fileExchange,
  [integrationType.webService]: webService,
}

export function listIntegrationParameters(type: number): readonly ParameterDeclaration[] {
  return parametersByType[type] ?? []
}

export function listIntegrationActions(type: number): readonly IntegrationAction[] {
  return type === integrationType.none ? [] : [{ name: 'test', label: 'Test connection' }]
}

export function fillInParameterDefaults(type: number, values: ParameterValues): ParameterValues {
  return Object.fromEntries(listIntegrationParameters(type).map(({ name, standard }) => [name, values[name]?.trim() || standard || '']))
}

/**
 * Validates parameter values. @returns a sentence for each invalid field
 * @param values unchanged secrets are `secretPlaceholder`
 */
export function findParameterProblems(type: number, values: ParameterValues): { field: string; message: string }[] {
  const complete = fillInParameterDefaults(type, values)
  return listIntegrationParameters(type).flatMap(({ name, label, isSecret, choices, check, isNeeded }) => {
    const value = assertDefined(complete[name])
    if (!value) return isNeeded?.(complete) ? [{ field: name, message: `${label} is required.` }] : []
    if (isSecret && value === secretPlaceholder) return []
    if (value.length > maximumParameterLength)
      return [{ field: name, message: `${label} can have at most ${maximumParameterLength} characters.` }]
    if (choices && !choices.some((choice) => choice.value === value))
      return [{ field: name, message: `${label} must be one of ${choices.map((choice) => choice.value).join(', ')}.` }]
    const problem = check?.(value)
    return problem ? [{ field: name, message: problem }] : []
  })
}

/** The origin of a web address; any other value is returned unchanged. */
const extractOrigin = (value: string): string => (/^https?:/i.test(value) && URL.canParse(value) ? new URL(value).origin : value)

/** Describes the destination of an integration: the origin of a web service, or user and server. Contains no secret. */
export function describeDestination(type: number, storedValues: ParameterValues): string {
  const values = fillInParameterDefaults(type, storedValues)
  const { address = '', user = '', host = '', port = '' } = values
  if (type === integrationType.webService) return extractOrigin(address)
  if (type === integrationType.fileExchange && usesServerFolder(values)) return 'Folder of this installation'
  return type === integrationType.fileExchange ? `${user}@${host}:${port}` : ''
}

/**
 * Lists secrets that the user must enter again because the address that they are sent to has changed. Otherwise a user who can change the
 * address but cannot see the secret could send it to themselves.
 * @param before stored values, with `secretPlaceholder` for secrets
 * @param after new values
 */
export function findSecretsToEnterAgain(
  type: number,
  before: ParameterValues,
  after: ParameterValues,
): { field: string; message: string }[] {
  const kinds = listIntegrationParameters(type)
  const moved = kinds.filter(({ name, leadsTo }) => leadsTo && extractOrigin(before[name] ?? '') !== extractOrigin(after[name] ?? ''))
  const affectedSecrets = new Set(moved.flatMap(({ leadsTo }) => leadsTo ?? []))
  return kinds
    .filter(({ name }) => affectedSecrets.has(name) && after[name] === secretPlaceholder)
    .map(({ name, label }) => ({ field: name, message: `${label} is only sent to the address it was entered for: enter it again.` }))
}

export function getActionPath(credentialId: number, action: string): string {
  return `/api/integrations/credentials/${credentialId}/actions/${action}`
}

/**
 * Whether the client may call the address of an action: it must have the same origin and be below `/api/integrations/` (behaviour B-248).
 * Any other address could receive the user's token.
 */
export function isActionAddress(given: string, origin: string): boolean {
  if (!URL.canParse(given, origin)) return false
  const url = new URL(given, origin)
  return url.origin === origin && !url.username && !url.password && url.pathname.startsWith('/api/integrations/')
}

export function getIntegrationTypeName(type: number): string {
  return lookups.financialIntegrationTypes.find(({ id }) => id === type)?.name ?? ''
}
