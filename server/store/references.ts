import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { conflict, type FieldProblem } from '../../domain/errors.ts'
import { resourceNamed, usesOf } from '../../domain/resources/all.ts'
import type { Field } from '../../domain/resources/fields.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import { defaultTerms } from '../../domain/terms.ts'
import { budgetGroups, budgets, staffContracts } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { tableFor } from './tables.ts'

type Pointer = Extract<Field, { kind: 'reference' | 'references' }>

function pointers(resource: AnyResource): [string, Pointer][] {
  return Object.entries(resource.fields).filter(
    (entry): entry is [string, Pointer] =>
      (entry[1].kind === 'reference' || entry[1].kind === 'references') && entry[0] !== 'organisationId',
  )
}

function idsIn(field: Pointer, value: unknown): number[] {
  if (value === null || value === undefined) return []
  return field.kind === 'reference' ? [value as number] : (value as number[])
}

/**
 * For each record, its references that point nowhere, to a record of somebody else, or to one of the wrong kind. Row-level security hides
 * other tenants; the owner is asked for again because the platform sees all.
 */
export async function referenceProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly Values[],
  owner: number | null,
): Promise<FieldProblem[][]> {
  const problems: FieldProblem[][] = records.map(() => [])
  for (const [name, field] of pointers(resource)) {
    const wanted = [...new Set(records.flatMap((record) => idsIn(field, record[name])))]
    if (!wanted.length) continue
    const target = resourceNamed(field.to)
    const { table, columns } = tableFor(target)
    const conditions: SQL[] = [inArray(columns.id!, wanted)]
    for (const [key, value] of Object.entries(field.kind === 'reference' ? (field.where ?? {}) : {}))
      conditions.push(eq(columns[key]!, value))
    if (columns.organisationId && owner !== null)
      conditions.push(sql`(${columns.organisationId} is null or ${columns.organisationId} = ${owner})`)
    const rows = await tx
      .select({ id: columns.id! })
      .from(table)
      .where(and(...conditions))
    const found = new Set(rows.map((row) => row.id as number))
    records.forEach((record, index) => {
      if (idsIn(field, record[name]).some((id) => !found.has(id)))
        problems[index]!.push({ field: name, message: `${field.label} was not found.` })
    })
  }
  return problems
}

export interface Use {
  count: number
  thing: string
}

/** What uses a record: other reference records, budgets, and staff contracts. */
export async function usesOfRecord(tx: OrganisationTx, resource: AnyResource, ids: readonly number[]): Promise<Use[]> {
  const uses: Use[] = []
  const add = (count: number, singular: string, plural: string): void =>
    void (count && uses.push({ count, thing: (count === 1 ? singular : plural).toLowerCase() }))
  const own = sql.param(`{${ids.join(',')}}`)
  const byResource = new Map<AnyResource, SQL[]>()
  for (const use of usesOf(resource.name)) {
    const { columns } = tableFor(use.resource)
    const column = columns[use.field]
    if (!column) continue
    const condition = use.many ? sql`${column} && ${own}::int[]` : sql`${column} = any(${own}::int[])`
    byResource.set(use.resource, [...(byResource.get(use.resource) ?? []), condition])
  }
  for (const [using, conditions] of byResource) {
    const [row] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(tableFor(using).table)
      .where(sql`(${sql.join(conditions, sql` or `)})`)
    add(row!.count, defaultTerms[using.key].singular, defaultTerms[using.key].plural)
  }
  if (resource.name === 'organisation') {
    const { table, columns } = tableFor(resourceNamed('location'))
    const [row] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(table)
      .where(sql`${columns.organisationId!} = any(${own}::int[])`)
    add(row!.count, 'location', 'locations')
  }
  const [inBudgets] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(budgets)
    .where(budgetUse(resource, ids) ?? sql`false`)
  add(inBudgets!.count, 'budget', 'budgets')
  const [inContracts] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(staffContracts)
    .where(contractUse(resource, ids) ?? sql`false`)
  add(inContracts!.count, 'staff contract', 'staff contracts')
  return uses
}

function path(column: SQL | typeof budgets.head | typeof staffContracts.contract, expression: string, ids: readonly number[]): SQL {
  return sql`jsonb_path_exists(${column}, ${expression}::jsonpath, ${JSON.stringify({ ids })}::jsonb)`
}

/** The condition for budgets that name a record. */
function budgetUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  if (resource.name === 'location') return inArray(budgets.locationId, [...ids])
  if (resource.name === 'adminTable') return path(budgets.head, '$.elements.*[*].adminTableId ? (@ == $ids[*])', ids)
  if (resource.name === 'staffAssumptions') return path(budgets.head, '$.staffAssumptionsId ? (@ == $ids[*])', ids)
  return resource.name === 'contractType' ? path(budgets.head, '$.contractTypeIds[*] ? (@ == $ids[*])', ids) : undefined
}

const contractPaths: Record<string, string> = {
  contractType: '$.contractTypeId ? (@ == $ids[*])',
  serviceTerm: '$.serviceTerms[*] ? (@ == $ids[*])',
  analysisTag: '$.analysisTags[*] ? (@ == $ids[*])',
  fundCode: '$.fundCodes[*].fundCodeId ? (@ == $ids[*])',
  allowance: '$.salary[*].allowances[*] ? (@ == $ids[*])',
  payScalePoint: '$.**.scalePoint.id ? (@ == $ids[*])',
}

function contractUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const expression = contractPaths[resource.name]
  return expression ? path(staffContracts.contract, expression, ids) : undefined
}

/** @throws DomainError 409 that says by what the records are used (behaviours B-105 and B-127) */
export async function refuseIfUsed(tx: OrganisationTx, resource: AnyResource, records: readonly AnyRecord[]): Promise<void> {
  if (!records.length) return
  if (
    !(
      await usesOfRecord(
        tx,
        resource,
        records.map((record) => record.id),
      )
    ).length
  )
    return
  const sentences: string[] = []
  for (const record of records.slice(0, 20)) {
    const uses = await usesOfRecord(tx, resource, [record.id])
    if (!uses.length) continue
    const name = records.length === 1 ? defaultTerms[resource.key].singular : String(record[resource.naming[0]!])
    const parts = uses.map((use) => `${use.count} ${use.thing}`)
    const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]
    sentences.push(`${name} is in use by ${list} and cannot be deleted.`)
  }
  throw conflict('inUse', sentences.join('\n'))
}

/** The budget groups that use changed records and so need to be recalculated; groups of one organisation, or of all for national data. */
export async function groupsUsing(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
): Promise<(typeof budgetGroups.$inferSelect)[]> {
  const parents: Record<string, [string, string]> = {
    payScalePoint: ['adminTable', 'adminTableId'],
    nationalInsurance: ['adminTable', 'adminTableId'],
    extendedLeaveType: ['adminTable', 'adminTableId'],
    staffErPensionRate: ['staffAssumptions', 'staffAssumptionsId'],
    staffInflationRate: ['staffAssumptions', 'staffAssumptionsId'],
  }
  const parent = parents[resource.name]
  const target = parent ? resourceNamed(parent[0]) : resource
  const ids = [...new Set(records.map((record) => (parent ? (record[parent[1]] as number) : record.id)))]
  const inBudgets = budgetUse(target, ids)
  const inContracts = contractUse(target, ids)
  const conditions: SQL[] = []
  if (inBudgets)
    conditions.push(
      sql`exists (select from ${budgets} where ${budgets.organisationId} = ${budgetGroups.organisationId} and ${budgets.id} = any(${budgetGroups.budgetIds}) and ${inBudgets})`,
    )
  if (inContracts)
    conditions.push(
      sql`exists (select from ${staffContracts} where ${staffContracts.organisationId} = ${budgetGroups.organisationId} and ${staffContracts.budgetId} = any(${budgetGroups.budgetIds}) and ${inContracts})`,
    )
  if (!conditions.length) return []
  return tx
    .select()
    .from(budgetGroups)
    .where(sql`(${sql.join(conditions, sql` or `)})`)
}
