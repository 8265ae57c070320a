import { and, eq, inArray } from 'drizzle-orm'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { ActualLine, MonitoringItem } from '../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { conflict } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { tableFor } from '../../core/database/tables.ts'

/** What a line of actuals names, and what it is called. */
const named = [
  [resources.budgetCode, 'budgetCodeId', 'budget code'],
  [resources.costCentre, 'costCentreId', 'cost centre'],
  [resources.fundCode, 'fundCodeId', 'fund code'],
  [resources.analysisTag, 'analysisTagId', 'analysis tag'],
] as const

/** What a line names, or a note, an adjustment or a chosen forecast, which name a budget code alone. */
type Naming = Partial<Pick<ActualLine, (typeof named)[number][1]>>

/** The lines that an item consists of, or itself where it is about a code. */
function referencesOf(item: MonitoringItem): readonly Naming[] {
  if (item.kind === 'month') return item.imports.flatMap(({ lines }) => lines)
  return item.kind === 'note' || item.kind === 'adjustment' || item.kind === 'forecast' ? [{ budgetCodeId: item.budgetCodeId }] : []
}

/** What a change brings in that names something: the lines of a file, a note, an adjustment, a forecast, or what stood there before. */
export function referencesIn(event: MonitoringEvent): readonly Naming[] {
  switch (event.type) {
    case 'ActualsImported':
      return event.data.lines
    case 'NoteSaved':
    case 'AdjustmentSaved':
      return [{ budgetCodeId: event.data.budgetCodeId }]
    case 'ForecastChosen':
      return event.data.budgetCodeIds.map((budgetCodeId) => ({ budgetCodeId }))
    case 'ChangeUndone':
      return event.data.things.flatMap(({ item }) => (item ? referencesOf(item) : []))
    default:
      return []
  }
}

/**
 * Keeps what lines of actuals, notes and adjustments name from being deleted until the end of the transaction: a delete waits, and then finds
 * that it is in use. Whoever changes several logs in one call holds what all of them name at once, as a delete of several does.
 * @throws DomainError 409 where something of it was deleted since it was read, or before it is brought back
 */
export async function lockReferencedCodes({ tx, organisationId }: Call<'organisationId'>, namings: readonly Naming[]): Promise<void> {
  if (!namings.length) return
  for (const [resource, field, thing] of named) {
    const wanted = [...new Set(namings.flatMap((naming) => naming[field] ?? []))]
    if (!wanted.length) continue
    const { table, columns } = tableFor(resource)
    const standing = await tx
      .select({ id: columns.id })
      .from(table)
      .where(and(eq(assertDefined(columns.organisationId), organisationId), inArray(columns.id, wanted)))
      .orderBy(columns.id)
      .for('key share')
    const gone = wanted.length - standing.length
    if (gone)
      throw conflict(
        'gone',
        gone === 1
          ? `This needs ${thing === 'analysis tag' ? 'an' : 'a'} ${thing} that has since been deleted. Restore it from the bin first.`
          : `This needs ${displayCount(gone, thing)} that have since been deleted. Restore them from the bin first.`,
      )
  }
}
