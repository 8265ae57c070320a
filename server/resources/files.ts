import { eq } from 'drizzle-orm'
import Papa from 'papaparse'
import type { z } from 'zod'
import type { exportRequest } from '../../domain/lists/lists.ts'
import { getResource } from '../../domain/resources/all.ts'
import { escapeFormula, type ReferenceNamer } from '../../domain/resources/cells.ts'
import { buildFileRows, listColumns } from '../../domain/resources/columns.ts'
import { listReferringFields } from '../../domain/resources/fields.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { buildExportFileName } from '../../domain/values/format.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import { organisations } from '../../drizzle/schema.ts'
import type { Call } from '../core/calls/call.ts'
import type { FileReply } from '../core/calls/reply.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import * as queries from './queries.ts'
import { readTerms } from './terms.ts'

/** The fields that an organisation hides because it does not use their coding scheme (behaviour B-098). */
export async function listHiddenFields(
  tx: OrganisationTx,
  resource: AnyResource,
  organisationId: OrganisationId | null,
): Promise<string[]> {
  const schemed = Object.entries(resource.fields).filter(([, field]) => field.hiddenUnless)
  if (!schemed.length || organisationId === null) return []
  const [row] = await tx.select().from(organisations).where(eq(organisations.id, organisationId))
  return schemed.filter(([, field]) => !row?.[assertDefined(field.hiddenUnless)]).map(([name]) => name)
}

/** Returns a function that names the records to which others refer, as exports write them. */
export async function prepareReferenceNamer(tx: OrganisationTx, resource: AnyResource, rows: RowScope): Promise<ReferenceNamer> {
  const names = new Map<string, string>()
  for (const { field } of listReferringFields(resource.fields)) {
    if (field.kind === 'point') continue
    const target = getResource(field.to)
    for (const record of await queries.listAllRecords({ tx, scope: { ...rows, locationIds: null, reaches: undefined } }, target, {}))
      names.set(`${field.to} ${record.id}`, String(record[target.naming[0]]))
  }
  return (to, id) => names.get(`${to} ${id}`) ?? ''
}

/** Every row of a list that matches the search and filters, as a CSV file. `as` may change how a record is shown. */
export async function exportList(
  { tx, now }: Call<'now'>,
  resource: AnyResource,
  { rows, input, as = (record) => record }: { rows: RowScope; input: z.infer<typeof exportRequest>; as?: (record: AnyRecord) => AnyRecord },
): Promise<FileReply> {
  const hidden = await listHiddenFields(tx, resource, rows.organisationId)
  const columns = listColumns(resource, (field) => hidden.some((name) => resource.fields[name] === field))
  const name = await prepareReferenceNamer(tx, resource, rows)
  const lines = (await queries.listAllRecords({ tx, scope: rows }, resource, input)).flatMap((record) =>
    buildFileRows(resource, { columns, record: as(record), name }),
  )
  return writeCsvFile(
    buildExportFileName((await readTerms(tx, rows.organisationId))[resource.key].plural, now),
    columns.map((column) => column.heading),
    lines,
  )
}

/**
 * A CSV file without a byte order mark, for systems that would read the mark as part of the first cell. Without headings it contains only
 * the rows.
 */
export function writePlainCsv(fileName: string, headings: readonly string[], lines: readonly string[][]): FileReply {
  const rows = (headings.length ? [[...headings], ...lines] : lines).map((line) => line.map(escapeFormula))
  return { fileName, contentType: 'text/csv; charset=utf-8', body: `${Papa.unparse(rows, { newline: '\r\n' })}\r\n` }
}

/** A CSV file (notice K-24): byte order mark, commas, lines that end with CRLF. */
export function writeCsvFile(fileName: string, headings: string[], lines: string[][]): FileReply {
  return {
    fileName,
    contentType: 'text/csv; charset=utf-8',
    body: `\uFEFF${Papa.unparse({ fields: headings.map(escapeFormula), data: lines.map((line) => line.map(escapeFormula)) }, { newline: '\r\n' })}\r\n`,
  }
}
