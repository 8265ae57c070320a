import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { FieldProblem } from '../../domain/errors.ts'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { Field } from '../../domain/resources/fields.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import { images } from '../../drizzle/consoleTables.ts'
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
  await imageProblems(tx, resource, records, problems)
  return problems
}

/** Pictures that are not there, or are another organisation's (row-level security hides those). */
async function imageProblems(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly Values[],
  problems: FieldProblem[][],
): Promise<void> {
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind !== 'image') continue
    const wanted = records.flatMap((record) => (typeof record[name] === 'number' ? [record[name]] : []))
    if (!wanted.length) continue
    const found = new Set((await tx.select({ id: images.id }).from(images).where(inArray(images.id, wanted))).map((row) => row.id))
    records.forEach((record, index) => {
      if (typeof record[name] === 'number' && !found.has(record[name]))
        problems[index]!.push({ field: name, message: `${field.label} was not found.` })
    })
  }
}
