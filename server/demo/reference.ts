import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { resources } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { referenceChanges } from '../../drizzle/schema.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { rowsOf as tableRows } from '../core/database/tables.ts'
import { root } from '../core/root.ts'
import { importRows } from '../resources/import/commands.ts'

/** The rows of a CSV file that ships with the product. */
function rowsOf(file: string): Record<string, string>[] {
  const text = readFileSync(join(root, 'drizzle/reference', file), 'utf8')
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data
}

/** National reference data, in the order in which one file names another. */
const files: [AnyResource, string][] = [
  [resources.adminTable, 'admin-tables.csv'],
  [resources.benchmarkingGroup, 'benchmarking-groups.csv'],
  [resources.localAuthority, 'local-authorities.csv'],
  [resources.financialReportingCode, 'financial-reporting-codes.csv'],
  [resources.bFRCode, 'bfr-codes.csv'],
  [resources.payScalePoint, 'pay-scale-points.csv'],
  [resources.nationalInsurance, 'national-insurance.csv'],
  [resources.employmentAllowance, 'employment-allowances.csv'],
  [resources.extendedLeaveType, 'extended-leave-types.csv'],
]

/** The files whose rows belong to dated tables. */
const dated = ['pay-scale-points.csv', 'national-insurance.csv', 'extended-leave-types.csv']

const platform: RowScope = { organisationId: null, locationIds: null, isAdministrator: true }

/** Loads the national reference data through the product's own import; loading it again changes nothing. @returns the number of rows */
export async function loadReference(tx: OrganisationTx, actor: Actor): Promise<number> {
  let rows = 0
  for (const [resource, file] of files) rows += (await importRows({ tx, resource, scope: platform, actor }, rowsOf(file))).imported
  return rows + (await loadFundingRates(tx, actor))
}

/**
 * Adds the dated tables that a newer version of the product ships, with their rows, to an installation that has never had them: next year's
 * pay or national insurance. What is there, and what an administrator deleted, stays as it is.
 */
export async function addNewTables(tx: OrganisationTx, actor: Actor): Promise<number> {
  const names = await tx
    .selectDistinct({ name: sql<string>`${referenceChanges.after} ->> 'name'` })
    .from(referenceChanges)
    .where(eq(referenceChanges.resource, resources.adminTable.name))
  const had = new Set(names.map((row) => row.name))
  const fresh = rowsOf('admin-tables.csv').filter((row) => !had.has(assertDefined(row.Name)))
  if (!fresh.length) return 0
  await importRows({ tx, resource: resources.adminTable, scope: platform, actor }, fresh)
  const isFresh = new Set(fresh.map((row) => row.Name))
  for (const [resource, file] of files.filter(([, name]) => dated.includes(name))) {
    const rows = rowsOf(file).filter((row) => isFresh.has(row.AdminTable))
    if (rows.length) await importRows({ tx, resource, scope: platform, actor }, rows)
  }
  await loadFundingRates(tx, actor, isFresh)
  return fresh.length
}

/**
 * What came with engine 2.0.0 in tables that were there before: the column that tells whether it has come, the columns that name a row and that
 * hold its rate, and whether rows came with it.
 */
const added = [
  {
    resource: resources.extendedLeaveType,
    file: 'extended-leave-types.csv',
    column: 'EarningsFloor',
    named: ['Name'],
    rate: 'Rate',
    hasNewRows: true,
  },
  {
    resource: resources.payScalePoint,
    file: 'pay-scale-points.csv',
    column: 'ReplacesIncrement',
    named: ['Scale', 'Point'],
    rate: 'MainRate',
    hasNewRows: false,
  },
] as const

/** The field of a column of the files, which are called alike. */
const fieldOf = (column: string): string => column.charAt(0).toLowerCase() + column.slice(1)

/**
 * Adds to the national tables of an installation, once, what they did not have before: earnings limits, types of leave, and points that take the
 * place of others. Only rows whose rates are those that were shipped are filled; what an administrator changed or deleted stays so.
 */
export async function addNewColumns(tx: OrganisationTx, actor: Actor): Promise<void> {
  const tables = new Map((await tableRows(tx, resources.adminTable)).map(({ id, name }) => [id, name]))
  for (const { resource, file, column, named, rate, hasNewRows } of added) {
    const isFilled = sql`${referenceChanges.after} ->> ${fieldOf(column)} is not null`
    const changes = and(eq(referenceChanges.resource, resource.name), isFilled)
    const [had] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(changes).limit(1)
    if (had) continue
    const national = (await tableRows(tx, resource)).filter((one) => !('organisationId' in one) || one.organisationId === null)
    const standing = new Map(
      national.map((one) => [
        [tables.get(one.adminTableId), ...named.map((name) => Reflect.get(one, fieldOf(name)))].join('|'),
        Number(Reflect.get(one, fieldOf(rate))),
      ]),
    )
    const shippedTables = new Set<string | undefined>(tables.values())
    const rows = rowsOf(file).filter((row) => {
      const now = standing.get([row.AdminTable, ...named.map((name) => row[name])].join('|'))
      if (now === undefined) return hasNewRows && shippedTables.has(row.AdminTable)
      return row[column] && now === Number(row[rate])
    })
    if (rows.length) await importRows({ tx, resource, scope: platform, actor }, rows)
  }
}

/** Adds, once, the Employment Allowance to an installation of before there was such a list; what an administrator made of it stays. */
export async function addAllowances(tx: OrganisationTx, actor: Actor): Promise<void> {
  const resource = resources.employmentAllowance
  const changes = eq(referenceChanges.resource, resource.name)
  const [had] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(changes).limit(1)
  if (!had) await importRows({ tx, resource, scope: platform, actor }, rowsOf('employment-allowances.csv'))
}

const londonRates = ['InnerRate', 'OuterRate', 'FringeRate'] as const

/**
 * Empties, once, the London columns of the national pay tables for support staff, which earlier versions filled with the rates of the rest of
 * England. Only points that still pay what was shipped, and the same in all four areas, are emptied.
 */
export async function emptyLondonRates(tx: OrganisationTx, actor: Actor): Promise<void> {
  const isEmpty = sql`jsonb_exists(${referenceChanges.after}, 'innerRate') and ${referenceChanges.after} ->> 'innerRate' is null`
  const changes = and(eq(referenceChanges.resource, resources.payScalePoint.name), isEmpty)
  const [had] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(changes).limit(1)
  if (had) return
  const tables = new Map((await tableRows(tx, resources.adminTable)).map(({ id, name }) => [id, name]))
  const keyOf = (table: string | undefined, scale: string | undefined, point: string | undefined): string => `${table} ${scale} ${point}`
  const standing = new Map(
    (await tableRows(tx, resources.payScalePoint))
      .filter(({ organisationId, mainRate, ...others }) => {
        const { innerRate, outerRate, fringeRate } = others
        return organisationId === null && [innerRate, outerRate, fringeRate].every((rate) => rate === mainRate)
      })
      .map((point) => [keyOf(tables.get(point.adminTableId), point.scale, point.point), point]),
  )
  const rows = rowsOf('pay-scale-points.csv')
    .filter((row) => londonRates.every((column) => !row[column]))
    .filter((row) => standing.get(keyOf(row.AdminTable, row.Scale, row.Point))?.mainRate === Number(row.MainRate))
  // What else an administrator changed at a point stays.
  const emptied = rows.map(({ AdminTable = '', Scale = '', Point = '', MainRate = '' }) => ({
    ...{ AdminTable, Scale, Point, MainRate, Increment: String(assertDefined(standing.get(keyOf(AdminTable, Scale, Point))).increment) },
    ...Object.fromEntries(londonRates.map((column) => [column, ''])),
  }))
  if (emptied.length) await importRows({ tx, resource: resources.payScalePoint, scope: platform, actor }, emptied)
}

/** The scale on which the schools of the demo in and around London pay their support staff. */
export const londonScale = 'NJC of the trust'

/** Points of a trust's own for support staff in London, for which no national rates are known: the rates are those of the rest of England. */
export async function loadLondonPoints(tx: OrganisationTx, organisationId: OrganisationId, actor: Actor): Promise<void> {
  const own: RowScope = { organisationId, locationIds: null, isAdministrator: false }
  const rows = rowsOf('pay-scale-points.csv')
    .filter((row) => londonRates.every((column) => !row[column]))
    .map((row) => ({
      ...row,
      Scale: londonScale,
      ...Object.fromEntries(londonRates.map((column) => [column, assertDefined(row.MainRate)])),
    }))
  await importRows({ tx, resource: resources.payScalePoint, scope: own, actor }, rows)
}

/** The national formula is the fallback of every authority (reference data, funding rates), so each gets its factor values to start from. */
async function loadFundingRates(tx: OrganisationTx, actor: Actor, tables?: ReadonlySet<string | undefined>): Promise<number> {
  const authorities = rowsOf('local-authorities.csv').map((row) => assertDefined(row.Name))
  const national = rowsOf('funding-rates.csv').filter((row) => !tables || tables.has(row.AdminTable))
  if (!national.length) return 0
  const rows = authorities.flatMap((name) => national.map((row) => ({ LocalAuthority: name, ...row })))
  return (await importRows({ tx, resource: resources.localAuthorityFundingRate, scope: platform, actor }, rows)).imported
}

/** The statutory rules of long leave and those of the Burgundy and Green Books, which a trust begins with and may change. */
export async function loadLeaveRules(tx: OrganisationTx, organisationId: OrganisationId, actor: Actor): Promise<void> {
  const own: RowScope = { organisationId, locationIds: null, isAdministrator: false }
  const sets = rowsOf('extended-leave-rule-sets.csv')
  const withoutReplacements = sets.map((row) => ({ ...row, ReplacedBy: '', ReplacedFrom: '' }))
  await importRows({ tx, resource: resources.extendedLeaveRuleSet, scope: own, actor }, withoutReplacements)
  // A set names another of the same file, so all of them come first.
  const replaced = sets.filter((row) => row.ReplacedBy)
  await importRows({ tx, resource: resources.extendedLeaveRuleSet, scope: own, actor }, replaced)
  await importRows({ tx, resource: resources.extendedLeaveRule, scope: own, actor }, rowsOf('extended-leave-rules.csv'))
}
