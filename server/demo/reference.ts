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
import { readResourceRecords as tableRows } from '../core/database/tables.ts'
import { root } from '../core/root.ts'
import { importRows } from '../resources/import/commands.ts'

function readRows(file: string): Record<string, string>[] {
  const text = readFileSync(join(root, 'drizzle/reference', file), 'utf8')
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data
}

/** National reference data. The order matters: later files refer to earlier ones. */
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

const datedFiles = ['pay-scale-points.csv', 'national-insurance.csv', 'extended-leave-types.csv']

const platform: RowScope = { organisationId: null, locationIds: null, isAdministrator: true }

/** Imports national reference data through the product's own import; repeating it changes nothing. @returns the number of rows */
export async function loadNationalReference(tx: OrganisationTx, actor: Actor): Promise<number> {
  let rows = 0
  for (const [resource, file] of files) rows += (await importRows({ tx, resource, scope: platform, actor }, readRows(file))).imported
  return rows + (await loadFundingRates(tx, actor))
}

/**
 * Adds dated tables that a newer version ships and the installation never had, such as next year's pay or National Insurance. Existing
 * tables, and those that an administrator deleted, are left alone.
 */
export async function addNewDatedTables(tx: OrganisationTx, actor: Actor): Promise<number> {
  const names = await tx
    .selectDistinct({ name: sql<string>`${referenceChanges.after} ->> 'name'` })
    .from(referenceChanges)
    .where(eq(referenceChanges.resource, resources.adminTable.name))
  const had = new Set(names.map((row) => row.name))
  const fresh = readRows('admin-tables.csv').filter((row) => !had.has(assertDefined(row.Name)))
  if (!fresh.length) return 0
  await importRows({ tx, resource: resources.adminTable, scope: platform, actor }, fresh)
  const isFresh = new Set(fresh.map((row) => row.Name))
  for (const [resource, file] of files.filter(([, name]) => datedFiles.includes(name))) {
    const rows = readRows(file).filter((row) => isFresh.has(row.AdminTable))
    if (rows.length) await importRows({ tx, resource, scope: platform, actor }, rows)
  }
  await loadFundingRates(tx, actor, isFresh)
  return fresh.length
}

/**
 * Columns that engine 2.0.0 needs in existing tables. `column`: the added column; if it has any value, the addition has been made.
 * `keyColumns`: the columns that identify a row. `rate`: the column of its rate. `hasNewRows`: whether the file also has new rows.
 */
const engine2Columns = [
  {
    resource: resources.extendedLeaveType,
    file: 'extended-leave-types.csv',
    column: 'EarningsFloor',
    keyColumns: ['Name'],
    rate: 'Rate',
    hasNewRows: true,
  },
  {
    resource: resources.payScalePoint,
    file: 'pay-scale-points.csv',
    column: 'ReplacesIncrement',
    keyColumns: ['Scale', 'Point'],
    rate: 'MainRate',
    hasNewRows: false,
  },
] as const

const toFieldName = (column: string): string => column.charAt(0).toLowerCase() + column.slice(1)

/**
 * Adds, once, earnings limits, leave types and pay points that replace others to existing national tables. Only rows that still have the
 * shipped rate are changed, so that an administrator's changes and deletions remain.
 */
export async function fillEngine2Columns(tx: OrganisationTx, actor: Actor): Promise<void> {
  const tables = new Map((await tableRows(tx, resources.adminTable)).map(({ id, name }) => [id, name]))
  for (const { resource, file, column, keyColumns, rate, hasNewRows } of engine2Columns) {
    const isFilled = sql`${referenceChanges.after} ->> ${toFieldName(column)} is not null`
    const changes = and(eq(referenceChanges.resource, resource.name), isFilled)
    const [had] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(changes).limit(1)
    if (had) continue
    const national = (await tableRows(tx, resource)).filter((one) => !('organisationId' in one) || one.organisationId === null)
    const currentRates = new Map(
      national.map((one) => [
        [tables.get(one.adminTableId), ...keyColumns.map((name) => Reflect.get(one, toFieldName(name)))].join('|'),
        Number(Reflect.get(one, toFieldName(rate))),
      ]),
    )
    const shippedTables = new Set<string | undefined>(tables.values())
    const rows = readRows(file).filter((row) => {
      const now = currentRates.get([row.AdminTable, ...keyColumns.map((name) => row[name])].join('|'))
      if (now === undefined) return hasNewRows && shippedTables.has(row.AdminTable)
      return row[column] && now === Number(row[rate])
    })
    if (rows.length) await importRows({ tx, resource, scope: platform, actor }, rows)
  }
}

/** Adds, once, the Employment Allowance to an installation that is older than the list of allowances. An administrator's changes remain. */
export async function addEmploymentAllowance(tx: OrganisationTx, actor: Actor): Promise<void> {
  const resource = resources.employmentAllowance
  const changes = eq(referenceChanges.resource, resource.name)
  const [had] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(changes).limit(1)
  if (!had) await importRows({ tx, resource, scope: platform, actor }, readRows('employment-allowances.csv'))
}

const londonRates = ['InnerRate', 'OuterRate', 'FringeRate'] as const

/**
 * Empties, once, the London columns of national support staff pay tables, which earlier versions wrongly filled with the rates for the rest
 * of England. Only points that still have the shipped rate in all four areas are changed.
 */
export async function emptyLondonRates(tx: OrganisationTx, actor: Actor): Promise<void> {
  const isEmpty = sql`jsonb_exists(${referenceChanges.after}, 'innerRate') and ${referenceChanges.after} ->> 'innerRate' is null`
  const changes = and(eq(referenceChanges.resource, resources.payScalePoint.name), isEmpty)
  const [had] = await tx.select({ id: referenceChanges.id }).from(referenceChanges).where(changes).limit(1)
  if (had) return
  const tables = new Map((await tableRows(tx, resources.adminTable)).map(({ id, name }) => [id, name]))
  const keyOf = (table: string | undefined, scale: string | undefined, point: string | undefined): string => `${table} ${scale} ${point}`
  const currentPoints = new Map(
    (await tableRows(tx, resources.payScalePoint))
      .filter(({ organisationId, mainRate, ...others }) => {
        const { innerRate, outerRate, fringeRate } = others
        return organisationId === null && [innerRate, outerRate, fringeRate].every((rate) => rate === mainRate)
      })
      .map((point) => [keyOf(tables.get(point.adminTableId), point.scale, point.point), point]),
  )
  const rows = readRows('pay-scale-points.csv')
    .filter((row) => londonRates.every((column) => !row[column]))
    .filter((row) => currentPoints.get(keyOf(row.AdminTable, row.Scale, row.Point))?.mainRate === Number(row.MainRate))
  // Keep an administrator's other changes to the point.
  const emptied = rows.map(({ AdminTable = '', Scale = '', Point = '', MainRate = '' }) => ({
    ...{
      AdminTable,
      Scale,
      Point,
      MainRate,
      Increment: String(assertDefined(currentPoints.get(keyOf(AdminTable, Scale, Point))).increment),
    },
    ...Object.fromEntries(londonRates.map((column) => [column, ''])),
  }))
  if (emptied.length) await importRows({ tx, resource: resources.payScalePoint, scope: platform, actor }, emptied)
}

/** The pay scale for support staff in the demo's schools in and near London. */
export const londonScale = 'Trust NJC'

/**
 * Creates the trust's own pay points for support staff in London. National rates are not available, so they equal those of the rest of
 * England.
 */
export async function loadLondonPoints(tx: OrganisationTx, organisationId: OrganisationId, actor: Actor): Promise<void> {
  const trustScope: RowScope = { organisationId, locationIds: null, isAdministrator: false }
  const rows = readRows('pay-scale-points.csv')
    .filter((row) => londonRates.every((column) => !row[column]))
    .map((row) => ({
      ...row,
      Scale: londonScale,
      ...Object.fromEntries(londonRates.map((column) => [column, assertDefined(row.MainRate)])),
    }))
  await importRows({ tx, resource: resources.payScalePoint, scope: trustScope, actor }, rows)
}

/** Gives every local authority the rates of the national formula, which apply where it has none of its own. */
async function loadFundingRates(tx: OrganisationTx, actor: Actor, tables?: ReadonlySet<string | undefined>): Promise<number> {
  const authorities = readRows('local-authorities.csv').map((row) => assertDefined(row.Name))
  const national = readRows('funding-rates.csv').filter((row) => !tables || tables.has(row.AdminTable))
  if (!national.length) return 0
  const rows = authorities.flatMap((name) => national.map((row) => ({ LocalAuthority: name, ...row })))
  return (await importRows({ tx, resource: resources.localAuthorityFundingRate, scope: platform, actor }, rows)).imported
}

/** Imports the statutory leave rules and those of the Burgundy and Green Books, which a trust starts with and may change. */
export async function loadLeaveRules(tx: OrganisationTx, organisationId: OrganisationId, actor: Actor): Promise<void> {
  const trustScope: RowScope = { organisationId, locationIds: null, isAdministrator: false }
  const sets = readRows('extended-leave-rule-sets.csv')
  const withoutReplacements = sets.map((row) => ({ ...row, ReplacedBy: '', ReplacedFrom: '' }))
  await importRows({ tx, resource: resources.extendedLeaveRuleSet, scope: trustScope, actor }, withoutReplacements)
  // Set the replacements in a second pass, because a set may be replaced by one that comes later in the file.
  const replaced = sets.filter((row) => row.ReplacedBy)
  await importRows({ tx, resource: resources.extendedLeaveRuleSet, scope: trustScope, actor }, replaced)
  await importRows({ tx, resource: resources.extendedLeaveRule, scope: trustScope, actor }, readRows('extended-leave-rules.csv'))
}
