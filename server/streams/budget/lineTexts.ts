import { and, eq, sql } from 'drizzle-orm'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import type { PostedLine } from '../../../domain/calculation/staffing/posting.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { postedLines } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { sha256 } from '../../core/stream/hash.ts'

/** What is posted to a coding in a year, as a text, by kind and source: so lines are compared, and hashed where they are approved. */
export type LineTexts = Map<string, string[]>

export function addText(
  posted: LineTexts,
  { key, line, sums }: { key: string; line: PostedLine; sums: { total: number | null; missing: number | null } },
): void {
  const { component, year, budgetCodeId, costCentreId, fundCodeId, amounts } = line
  const text = canonicalJson({ component, year, budgetCodeId, costCentreId, fundCodeId, amounts, ...sums })
  posted.set(key, [...(posted.get(key) ?? []), text])
}

/** The lines of a budget as they stand in the table, year by year: how many years a row holds follows from which version wrote it. */
export async function standingTexts({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>): Promise<LineTexts> {
  const { sourceKind, sourceId, component, budgetCodeId, costCentreId, fundCodeId, firstYear, amounts, totals, missing } = postedLines
  // As JSON, because the driver reads the nulls of a number array as NaN; by the places that readers ask for, wherever an array begins.
  const rows = await tx
    .select({
      ...{ sourceKind, sourceId, component, budgetCodeId, costCentreId, fundCodeId, firstYear },
      amounts: sql<Figure[]>`to_json(${amounts}[1:60])`,
      totals: sql<Figure[]>`to_json(${totals}[1:5])`,
      missing: sql<Figure[]>`to_json(${missing}[1:5])`,
    })
    .from(postedLines)
    .where(and(eq(postedLines.organisationId, organisationId), eq(postedLines.budgetId, budgetId)))
  const kept: LineTexts = new Map()
  for (const row of rows)
    for (let index = 0; index < Math.max(Math.ceil(row.amounts.length / 12), row.totals.length, row.missing.length); index++) {
      const own = row.amounts.slice(index * 12, index * 12 + 12)
      const [total, gaps] = [row.totals[index] ?? null, row.missing[index] ?? null]
      if (!own.length && total === null && gaps === null) continue
      const line = { ...row, year: row.firstYear + index, amounts: own }
      addText(kept, { key: `${row.sourceKind} ${row.sourceId}`, line, sums: { total, missing: gaps } })
    }
  return kept
}

/** The SHA-256 of all lines, in whatever order they were read. */
export function digestOfTexts(texts: LineTexts): string {
  const filled = [...texts].filter(([, lines]) => lines.length).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(canonicalJson(filled.map(([key, lines]) => [key, [...lines].sort()])))
}
