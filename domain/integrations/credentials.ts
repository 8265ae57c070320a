import { integrationType } from '../lookups/lookupIds.ts'
import { lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'

/** What stands in place of a secret: its value is never sent back (behaviour B-249). Sent as a value it means "as it is". */
export const hiddenValue = '••••••••'

/** The longest value of a parameter; a private key needs the most room. */
export const longestValue = 5000

/** How a web service knows who calls. */
const signIns = [
  { value: 'none', label: 'None' },
  { value: 'apiKey', label: 'API key' },
  { value: 'oauth2', label: 'OAuth 2 client credentials' },
] as const

/** A setting of a link, declared once for the form, the check and the connection. */
export interface ParameterKind {
  name: string
  label: string
  /** One sentence beside the field. */
  hint?: string
  /** Kept sealed, never sent back. */
  isSecret?: true
  /** What it is when nothing is typed. */
  standard?: string
  choices?: readonly { value: string; label: string }[]
  /** Several lines, such as a private key. */
  isLong?: true
  /** Whether the link needs it, given the others. */
  isNeeded?: (values: ParameterValues) => boolean
  /** The secrets that are sent to where this leads: they are typed again when it changes. */
  leadsTo?: readonly string[]
  /** @returns a sentence when the value cannot be right, null when it can */
  check?: (value: string) => string | null
}

/** The values of a link's parameters by their names; what was left empty is an empty text. */
export type ParameterValues = Readonly<Record<string, string>>

/** An action that a link offers: the server gives its address, the client presses it (behaviour B-247). */
export interface IntegrationAction {
  name: string
  label: string
}

const always = (): boolean => true

/** @returns a sentence when a text is no address of a web service */
export function addressProblem(value: string): string | null {
  if (!URL.canParse(value)) return 'Give the address as https://name/path.'
  const { protocol, username, password, search, hash } = new URL(value)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Give the address as https://name/path.'
  if (username || password) return 'Give name and password in their own fields, not in the address.'
  // Addresses are shown and stand in the history for good; keys do not.
  return search || hash ? 'Give the address without what follows ? or #. A key has a field of its own.' : null
}

const portProblem = (value: string): string | null =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535 ? null : 'Give a port from 1 to 65535.'

/** A host's key as `ssh-keygen -lf` prints it. */
const fingerprintProblem = (value: string): string | null =>
  /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(value) ? null : 'Give the fingerprint as SHA256: and 43 letters, digits and signs.'

/** One header name (RFC 9110 §5.6.2), and none that would change how the request is read. */
const headerProblem = (value: string): string | null =>
  /^[A-Za-z0-9-]{1,64}$/.test(value) && !/^(host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer)$/i.test(value)
    ? null
    : 'Give the name of a header, such as Authorization or X-Api-Key.'

/** What stands in a header is one line of visible signs. */
const lineProblem = (value: string): string | null =>
  /^[\x20-\x7e]*$/.test(value) ? null : 'Use letters, digits and signs on one line only.'

const isApiKey = ({ signIn }: ParameterValues): boolean => signIn === 'apiKey'
const isOauth = ({ signIn }: ParameterValues): boolean => signIn === 'oauth2'

const webService: readonly ParameterKind[] = [
  {
    name: 'address',
    label: 'Address',
    hint: 'Where the service answers a GET, such as https://ledger.example/api/status.',
    isNeeded: always,
    check: addressProblem,
    leadsTo: ['apiKey', 'clientSecret'],
  },
  { name: 'signIn', label: 'Sign-in', choices: signIns, standard: 'none', isNeeded: always },
  { name: 'keyHeader', label: 'Header of the API key', standard: 'Authorization', check: headerProblem, isNeeded: isApiKey },
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'As the header holds it, with Bearer before it where the service wants that.',
    isSecret: true,
    isNeeded: isApiKey,
    check: lineProblem,
  },
  { name: 'tokenAddress', label: 'Address of tokens', isNeeded: isOauth, check: addressProblem, leadsTo: ['clientSecret'] },
  { name: 'clientId', label: 'Client id', isNeeded: isOauth, check: lineProblem },
  { name: 'clientSecret', label: 'Client secret', isSecret: true, isNeeded: isOauth, check: lineProblem },
  { name: 'tokenScope', label: 'Scope', hint: 'Empty where the service asks for none.', check: lineProblem },
]

/** Where files are exchanged. The folder is offered where the installation has one. */
const filePlaces = [
  { value: 'sftp', label: 'SFTP server' },
  { value: 'folder', label: 'Folder of this installation' },
] as const
const isSftp = ({ place }: ParameterValues): boolean => place === 'sftp'

/** Whether the files of a link lie in a folder of the installation itself. */
export const isServerFolder = ({ place }: ParameterValues): boolean => place === 'folder'

/** The setting that is there only where the installation has a folder for files. */
export const ofServerFolder = 'place'

const fileExchange: readonly ParameterKind[] = [
  { name: ofServerFolder, label: 'Place of the files', choices: filePlaces, standard: 'sftp', isNeeded: always },
  {
    name: 'host',
    label: 'SFTP server',
    hint: 'Its name, such as files.ledger.example.',
    isNeeded: isSftp,
    leadsTo: ['password'],
    check: (value) => (/^[A-Za-z0-9.:-]{1,253}$/.test(value) ? null : 'Give the name of the server, without sftp:// and a path.'),
  },
  { name: 'port', label: 'Port', standard: '22', isNeeded: isSftp, check: portProblem, leadsTo: ['password'] },
  {
    name: 'fingerprint',
    label: 'Fingerprint of its key',
    hint: 'As ssh-keygen -lf prints it. Nothing is sent to a server with another key.',
    isNeeded: isSftp,
    check: fingerprintProblem,
    leadsTo: ['password'],
  },
  { name: 'user', label: 'User', isNeeded: isSftp, check: lineProblem },
  { name: 'password', label: 'Password', isSecret: true, isNeeded: (values) => isSftp(values) && !values.privateKey, check: lineProblem },
  { name: 'privateKey', label: 'Private key', hint: 'In place of a password, in OpenSSH form.', isSecret: true, isLong: true },
  { name: 'folder', label: 'Folder', standard: '/', isNeeded: always, check: lineProblem },
]

const declared: Readonly<Record<number, readonly ParameterKind[]>> = {
  [integrationType.none]: [],
  [integrationType.fileExchange]: fileExchange,
  [integrationType.webService]: webService,
}

/** The parameters that a link of a type has. */
export function parametersOf(type: number): readonly ParameterKind[] {
  return declared[type] ?? []
}

/** What can be done with a link of a type. */
export function actionsOf(type: number): readonly IntegrationAction[] {
  return type === integrationType.none ? [] : [{ name: 'test', label: 'Test connection' }]
}

/** Values as a connection is made with: what was left empty is its standard. */
export function completeValues(type: number, values: ParameterValues): ParameterValues {
  return Object.fromEntries(parametersOf(type).map(({ name, standard }) => [name, values[name]?.trim() || standard || '']))
}

/**
 * What stands in the way of a link with these values, a sentence at its field.
 * @param values secrets that stay as they are hold `hiddenValue`
 */
export function parameterProblems(type: number, values: ParameterValues): { field: string; message: string }[] {
  const complete = completeValues(type, values)
  return parametersOf(type).flatMap(({ name, label, isSecret, choices, check, isNeeded }) => {
    const value = assertDefined(complete[name])
    if (!value) return isNeeded?.(complete) ? [{ field: name, message: `${label} is required.` }] : []
    if (isSecret && value === hiddenValue) return []
    if (value.length > longestValue) return [{ field: name, message: `${label} can have at most ${longestValue} characters.` }]
    if (choices && !choices.some((choice) => choice.value === value))
      return [{ field: name, message: `${label} is one of ${choices.map((choice) => choice.value).join(', ')}.` }]
    const problem = check?.(value)
    return problem ? [{ field: name, message: problem }] : []
  })
}

/** Where an address leads; a path of the same service leads nowhere else. */
const destination = (value: string): string => (/^https?:/i.test(value) && URL.canParse(value) ? new URL(value).origin : value)

/** To whom a link leads: the origin of a web service, or a user of a server. No secret is part of it. */
export function destinationOf(type: number, kept: ParameterValues): string {
  const values = completeValues(type, kept)
  const { address = '', user = '', host = '', port = '' } = values
  if (type === integrationType.webService) return destination(address)
  if (type === integrationType.fileExchange && isServerFolder(values)) return 'Folder of this installation'
  return type === integrationType.fileExchange ? `${user}@${host}:${port}` : ''
}

/**
 * The secrets that have to be typed again because they would go elsewhere than they were given for: else whoever may change an address, and may
 * not see the secret, could have it sent to themselves.
 * @param before the values that are kept, with `hiddenValue` for secrets @param after those to be kept
 */
export function retypeProblems(type: number, before: ParameterValues, after: ParameterValues): { field: string; message: string }[] {
  const kinds = parametersOf(type)
  const moved = kinds.filter(({ name, leadsTo }) => leadsTo && destination(before[name] ?? '') !== destination(after[name] ?? ''))
  const going = new Set(moved.flatMap(({ leadsTo }) => leadsTo ?? []))
  return kinds
    .filter(({ name }) => going.has(name) && after[name] === hiddenValue)
    .map(({ name, label }) => ({ field: name, message: `${label} is sent only where it was given for: type it again.` }))
}

/** Where the server serves an action of a link. */
export function actionPath(credentialId: number, action: string): string {
  return `/api/integrations/credentials/${credentialId}/actions/${action}`
}

/**
 * Whether the client may press an address that it was given: on its own origin, below `/api/integrations/` (behaviour B-248). A given address
 * must not send the token elsewhere.
 */
export function isActionAddress(given: string, origin: string): boolean {
  if (!URL.canParse(given, origin)) return false
  const url = new URL(given, origin)
  return url.origin === origin && !url.username && !url.password && url.pathname.startsWith('/api/integrations/')
}

/** The name of a type. */
export function typeName(type: number): string {
  return lookups.financialIntegrationTypes.find(({ id }) => id === type)?.name ?? ''
}
