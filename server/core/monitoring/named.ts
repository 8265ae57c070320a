import { and, eq, inArray } from 'drizzle-orm'
import { conflict } from '../../../domain/errors.ts'
import { displayCount } from '../../../domain/format.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { ActualLine } from '../../../domain/monitoring/monitoring.ts'
import { must } from '../../../domain/must.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { Call } from '../calls/call.ts'
import { tableFor } from '../database/tables.ts'

/** What a line of actuals names, and what it is called. */
const named = [
  [resources.budgetCode, 'budgetCodeId', 'budget code'],
  [resources.costCentre, 'costCentreId', 'cost centre'],
  [resources.fundCode, 'fundCodeId', 'fund code'],
  [resources.analysisTag, 'analysisTagId', 'analysis tag'],
] as const

/** The lines that a change brings into a month: those of a file, or those that stood there before. */
function linesOf(event: MonitoringEvent): readonly ActualLine[] {
  if (event.type === 'ActualsImported') return event.data.lines
  if (event.type !== 'ChangeUndone') return []
  return event.data.things.flatMap(({ item }) => (item?.kind === 'month' ? item.imports.flatMap(({ lines }) => lines) : []))
}

/**
 * Keeps what lines of actuals name from being deleted until the end of the transaction: a delete waits, and then finds that it is in use.
 * @throws DomainError 409 where something of it was deleted since the lines were read, or before they are brought back
 */
export async function holdNamed({ tx, organisationId }: Call<'organisationId'>, events: readonly MonitoringEvent[]): Promise<void> {
  const lines = events.flatMap(linesOf)
  if (!lines.length) return
  for (const [resource, field, thing] of named) {
    const wanted = [...new Set(lines.flatMap((line) => line[field] ?? []))]
    if (!wanted.length) continue
    const { table, columns } = tableFor(resource)
    const standing = await tx
      .select({ id: columns.id })
      .from(table)
      .where(and(eq(must(columns.organisationId), organisationId), inArray(columns.id, wanted)))
      .orderBy(columns.id)
      .for('key share')
    const gone = wanted.length - standing.length
    if (gone)
      throw conflict(
        'gone',
        gone === 1
          ? `These lines need ${thing === 'analysis tag' ? 'an' : 'a'} ${thing} that has since been deleted. Restore it from the bin first.`
          : `These lines need ${displayCount(gone, thing)} that have since been deleted. Restore them from the bin first.`,
      )
  }
}
