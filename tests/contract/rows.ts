import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { redirects, screens } from '../../client/screens.ts'
import type { Screen } from '../../client/shell/screens/screen.ts'
import * as filterOptions from '../../domain/lookups/filterOptions.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import * as rowKinds from '../../domain/lookups/rowKinds.ts'
import { allPermissions, permissionIds } from '../../domain/people/permissions.ts'
import { allResources } from '../../domain/resources/all.ts'
import { staffMember } from '../../domain/resources/entities/budget/staffMember.ts'
import { user } from '../../domain/resources/entities/organisation/user.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { notices, noticeTimeoutMs, pageSizes } from '../../domain/words/notices.ts'
import { defaultTerms, type TermKey } from '../../domain/words/terms.ts'
import { restRoutes } from '../../server/rest/routes.ts'
import { pages } from './otherPages.ts'

const folder = join(import.meta.dirname, 'tables')
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

/** A row of a contract table compared with the product. */
export interface Checked {
  table: string
  row: string
  state: 'exists' | 'missing' | 'differs'
  how?: string
}

function compared(table: string, row: string, found: boolean, differences: (string | false | null | undefined)[]): Checked {
  const how = differences.filter(Boolean).join('; ')
  return found ? (how ? { table, row, state: 'differs', how } : { table, row, state: 'exists' }) : { table, row, state: 'missing' }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const sorted = (list: readonly string[]): string[] => [...list].sort()
const says = (what: string, table: unknown, product: unknown): string | false =>
  !same(table, product) && `${what} is ${JSON.stringify(product)}, the table has ${JSON.stringify(table)}`

interface Route {
  path: string
  titleText: string | null
  kind: string
  viewPermissions: string[]
  editPermissions: string[]
  administratorOnly: boolean
}

function titleOf({ title, area }: Screen): string {
  return `${typeof title === 'string' ? defaultTerms[title].plural : title.text} - ${area}`
}

function routeRows(): Checked[] {
  return read<{ routes: Route[] }>('routes').routes.map((route) => {
    const screen = screens.find((one) => one.path === route.path)
    if (screen) {
      const view = screen.view === 'administrator' ? [] : screen.view
      return compared('routes', route.path, true, [
        says('title', route.titleText, titleOf(screen)),
        says('administrator only', route.administratorOnly, screen.view === 'administrator'),
        says('view permissions', sorted(route.viewPermissions), sorted(view)),
      ])
    }
    const parent = screens.find((one) => one.subPages?.some(({ path }) => `${one.path}/${path}` === route.path))
    return compared('routes', route.path, Boolean(parent) || pages.has(route.path) || redirects.includes(route.path), [])
  })
}

interface Call {
  id: string
  method: string
  path: string
  success: number
  response: string | null
  permissions: string[]
  alsoReadBy?: string[]
  administratorOnly: boolean
  scope: string
  pathParams: { name: string; type: string }[]
  errors: number[]
}

/** The calls in the contract table. */
export function callsOfTable(): Call[] {
  return read<{ calls: Call[] }>('endpoints').calls
}

/** A path with blank parameters, to match paths that differ only in the names of parameters. */
const shape = (path: string): string => path.toLowerCase().replace(/\{[^}]*\}/g, '{}')

function callRows(): Checked[] {
  const routes = new Map(restRoutes.map((route) => [`${route.meta.rest.method} ${shape(route.path)}`, route]))
  return read<{ calls: Call[] }>('endpoints').calls.map((call) => {
    const route = routes.get(`${call.method} ${shape(call.path)}`)
    if (!route) return { table: 'calls', row: `${call.id} ${call.method} ${call.path}`, state: 'missing' }
    const { access, rest } = route.meta
    const permissions = typeof access === 'string' ? [] : [...new Set(access)]
    const wanted = [...new Set([...call.permissions, ...(call.alsoReadBy ?? [])])]
    return compared('calls', `${call.id} ${call.method} ${call.path}`, true, [
      says('status', call.success, rest.status ?? 200),
      says('administrator only', call.administratorOnly, access === 'administrator'),
      says('permissions', sorted(wanted), sorted(permissions)),
    ])
  })
}

interface EntityField {
  name: string
  label: string
  type: string
  requiredOnForm?: boolean
  maxLength?: number
  importColumn?: string
  readOnly?: boolean
  decided: boolean
}
interface Entity {
  key: string
  singular: string
  plural: string
  basePath: string
  operations: string[]
  fields: EntityField[]
  importTemplate?: { required: string[] } | null
}

/** Fields that every record has, and the extended leave of a person, which has calls of its own. */
const given = new Set(['id', 'created', 'version', 'extendedLeave'])
/** Entities of a budget are not declared as resources; their calls are in the table of calls. */
const kept = new Set([
  'Budget',
  'BudgetElements',
  'BudgetEntry',
  'IncomeExpenditureCalculator',
  'FundingPredictor',
  'PupilNumbers',
  'OpeningBalance',
  'BudgetGroup',
  'StaffContract',
  'QuickCalculator',
  'AppliedExtendedLeave',
  'Image',
  'IntegrationCredential',
  'IntegrationParameter',
  'TerminologyTerm',
  'ActualCommitment',
  'MonitoringNote',
  'Adjustment',
  'PayrollActual',
  'PayrollNote',
  'PayrollCarryForward',
  'PayrollMonth',
])
const declared: AnyResource[] = [...allResources, staffMember, user]

/** One row for each entity with its fields, and one row for each missing field. */
function entityRows(): Checked[] {
  return read<{ entities: Entity[] }>('entities').entities.flatMap((entity): Checked[] => {
    const resource = declared.find((one) => one.key === entity.key)
    if (!resource) return [{ table: 'entities', row: entity.key, state: kept.has(entity.key) ? 'exists' : 'missing' }]
    const term = defaultTerms[entity.key as TermKey]
    const fields = entity.fields.filter((field) => !given.has(field.name) && !field.readOnly)
    const missing = fields.filter((field) => !resource.fields[field.name] && field.name !== 'organisationId')
    const differences = fields.flatMap((field) => {
      const own = resource.fields[field.name]
      if (!own) return []
      const max = own.kind === 'text' || own.kind === 'longText' || own.kind === 'richText' ? own.max : undefined
      // A field with a default is never empty, so it need not be required.
      const required = Boolean(own.required) && (own.default === undefined || Boolean(field.requiredOnForm))
      return [
        says(`${field.name}: label`, field.label, own.label),
        says(`${field.name}: required`, Boolean(field.requiredOnForm), required),
        field.maxLength !== undefined && says(`${field.name}: length`, field.maxLength, max),
        field.importColumn !== undefined &&
          own.kind !== 'flags' &&
          own.kind !== 'rows' &&
          says(`${field.name}: column`, field.importColumn, own.column),
      ]
    })
    return [
      compared('entities', entity.key, true, [
        says('path', entity.basePath.toLowerCase(), `/api/${resource.path}`.toLowerCase()),
        says('terms', [entity.singular, entity.plural], [term.singular, term.plural]),
        says('required columns', sorted(entity.importTemplate?.required ?? []), sorted(resource.importRequired ?? [])),
        ...differences,
      ]),
      ...missing.map((field): Checked => ({ table: 'entities', row: `${entity.key}.${field.name}`, state: 'missing' })),
    ]
  })
}

function permissionRows(): Checked[] {
  const rows = read<{ permissions: { id: number; name: string }[] }>('permissions').permissions
  return [
    ...rows.map(({ id, name }) =>
      compared('permissions', name, name in permissionIds, [says('id', id, permissionIds[name as keyof typeof permissionIds])]),
    ),
    ...allPermissions
      .filter((name) => !rows.some((row) => row.name === name))
      .map((name): Checked => ({ table: 'permissions', row: name, state: 'differs', how: 'the table has no such permission' })),
  ]
}

function lookupRows(): Checked[] {
  return read<{ lookups: { name: string; items: string | { id: number; name: string }[] }[] }>('lookups').lookups.map(({ name, items }) => {
    // Benchmarking groups are records: the start-up call lists them.
    if (items === 'entity:BenchmarkingGroup') return { table: 'lookups', row: name, state: 'exists' }
    const own = ({ ...lookups, ...filterOptions, ...rowKinds } as Record<string, unknown>)[name] as
      | readonly { id: number; name: string }[]
      | undefined
    const plain = (list: readonly { id: number; name: string }[]): unknown => list.map((item) => [item.id, item.name])
    return compared('lookups', name, own !== undefined, [
      // The permissions have a table of their own, compared above.
      typeof items === 'string' ? undefined : own && says('items', plain(items), plain(own)),
    ])
  })
}

function noticeRows(): Checked[] {
  const { positiveNotices, constants } = read<{
    positiveNotices: { id: string; text: string }[]
    constants: { id: string; name: string; value: unknown }[]
  }>('notices')
  const texts = new Set(Object.values(notices).map((notice) => (typeof notice === 'string' ? notice : notice('{thing}'))))
  // Every placeholder counts as {thing}, whether it stands for a term, or for a month and its year.
  const filled = (text: string): string => text.replace(/\{[^}]+\}( \{[^}]+\})*/, '{thing}')
  const values: Record<string, unknown> = { 'K-01': 2, 'K-07': pageSizes[0], 'K-08': [...pageSizes], 'K-13': noticeTimeoutMs }
  return [
    ...positiveNotices.map(({ id, text }) => compared('notices', `${id} ${text}`, texts.has(filled(text)), [])),
    ...constants
      .filter(({ id }) => id in values)
      .map(({ id, name, value }) => compared('notices', `${id} ${name}`, true, [says('value', value, values[id])])),
  ]
}

function hubRows(): Checked[] {
  const { events, invocations, timing } = read<{
    events: { name: string }[]
    invocations: { name: string }[]
    timing: { name: string; value: unknown }[]
  }>('hub')
  const client = ['hub', 'createHubConnection']
    .map((name) => readFileSync(join(import.meta.dirname, `../../client/shell/live/${name}.ts`), 'utf8'))
    .join('')
  const server = readFileSync(join(import.meta.dirname, '../../server/hub/hub.ts'), 'utf8').toLowerCase()
  const flat = client.replaceAll('_', '')
  return [
    ...events.map(({ name }) => compared('hub', name, client.includes(`'${name}'`), [])),
    ...invocations.map(({ name }) => compared('hub', name, server.includes(name.toLowerCase()), [])),
    ...timing.map(({ name, value }) =>
      compared(
        'hub',
        `${name} ${JSON.stringify(value)}`,
        (Array.isArray(value) ? value : [value]).every(
          (one) => flat.includes(String(one)) || server.replaceAll('_', '').includes(String(one)),
        ),
        [],
      ),
    ),
  ]
}

function testFiles(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? entry.name === 'tables'
        ? []
        : testFiles(join(path, entry.name))
      : /\.(test|spec)\.ts$/.test(entry.name)
        ? [join(path, entry.name)]
        : [],
  )
}

/** The title of a test or group in source text. A behaviour number in a comment does not count. */
const titlePattern = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['`"])([\s\S]*?)\1/g

function titles(): string[] {
  return testFiles(join(import.meta.dirname, '..')).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(titlePattern)].map((match) => match[2]!),
  )
}

const behaviours = (): string[][] => [...readFileSync(join(folder, 'behaviours.md'), 'utf8').matchAll(/^- \*\*(B-\d{3})\*\* (.*)$/gm)]
const named = (): Set<string> => new Set(titles().flatMap((title) => title.match(/B-\d{3}/g) ?? []))

/** One row for each behaviour in the table: it exists if a test’s title has its number. */
export function behaviourRows(): Checked[] {
  const tested = named()
  return behaviours().map(([, id, sentence]) => compared('behaviours', `${id} ${sentence}`, tested.has(id!), []))
}

/** Behaviour numbers in test titles that the table does not have. */
export function strangeNumbers(): string[] {
  const known = new Set(behaviours().map(([, id]) => id))
  return [...named()].filter((id) => !known.has(id))
}

/** The compared rows of all tables. */
export function allRows(): Checked[] {
  return [...routeRows(), ...callRows(), ...entityRows(), ...permissionRows(), ...lookupRows(), ...noticeRows(), ...hubRows()]
}

/** The calls that the product must refuse as not implemented. */
export function refusedCalls(): { method: string; path: string }[] {
  return read<{ notImplemented: { method: string; path: string }[] }>('endpoints').notImplemented
}

/** The calls in the table that the product implements. */
export function presentCalls(): { method: string; path: string }[] {
  const example: Record<string, string> = { integer: '1', mongoId: 'f'.repeat(24) }
  const missing = new Set(
    callRows()
      .filter((row) => row.state === 'missing')
      .map((row) => row.row),
  )
  return read<{ calls: Call[] }>('endpoints')
    .calls.filter((call) => !missing.has(`${call.id} ${call.method} ${call.path}`))
    .map(({ method, path, pathParams }) => ({
      method,
      path: pathParams.reduce((filled, { name, type }) => filled.replace(`{${name}}`, example[type] ?? 'x'), path),
    }))
}
