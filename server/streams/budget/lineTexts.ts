import { and, eq, sql } from 'drizzle-orm'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import type { PostedLine } from '../../../domain/calculation/staffing/posting.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { postedLines } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { sha256 } from '../../core/stream/hash.ts'

/**
 * Posted lines as text, one text per line and year, by the kind and id of the source. Lines are compared in this form,
 * and hashed when a budget is approved.
 */
export type LineTexts = Map<string, string[]>

export function addLineText(
  posted: LineTexts,
  { key, line, sums }: { key: string; line: PostedLine; sums: { total: number | null; missing: number | null } },
): void {
  const { component, year, budgetCodeId, costCentreId, fundCodeId, amounts } = line
  const text = canonicalJson({ component, year, budgetCodeId, costCentreId, fundCodeId, amounts, ...sums })
  posted.set(key, [...(posted.get(key) ?? []), text])
}

/**
 * Reads the lines of a budget as text. Each year has a text of its own, because versions of the product differ in the
 * number of years that a row holds.
 */
export async function readLineTexts({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>): Promise<LineTexts> {
  const { sourceKind, sourceId, component, budgetCodeId, costCentreId, fundCodeId, firstYear, amounts, totals, missing } = postedLines
  // Selected as JSON, because the driver reads nulls in a number array as NaN. Sliced by position, because a stored
  // array may have any lower bound.
  const rows = await tx
    .select({
      ...{ sourceKind, sourceId, component, budgetCodeId, costCentreId, fundCodeId, firstYear },
      amounts: sql<Figure[]>`to_json(${amounts}[1:60])`,
      totals: sql<Figure[]>`to_json(${totals}[1:5])`,
      missing: sql<Figure[]>`to_json(${missing}[1:5])`,
    })
    .from(postedLines)
    .where(and(eq(postedLines.organisationId, organisationId), eq(postedLines.budgetId, budgetId)))
  const texts: LineTexts = new Map()
  for (const row of rows)
    for (let index = 0; index < Math.max(Math.ceil(row.amounts.length / 12), row.totals.length, row.missing.length); index++) {
      const yearAmounts = row.amounts.slice(index * 12, index * 12 + 12)
      const [total, gaps] = [row.totals[index] ?? null, row.missing[index] ?? null]
      if (!yearAmounts.length && total === null && gaps === null) continue
      const line = { ...row, year: row.firstYear + index, amounts: yearAmounts }
      addLineText(texts, { key: `${row.sourceKind} ${row.sourceId}`, line, sums: { total, missing: gaps } })
    }
  return texts
}

/** Hashes all lines with SHA-256, independent of the order in which they were read. */
export function hashLineTexts(texts: LineTexts): string {
  const filled = [...texts].filter(([, lines]) => lines.length).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(canonicalJson(filled.map(([key, lines]) => [key, [...lines].sort()])))
}
