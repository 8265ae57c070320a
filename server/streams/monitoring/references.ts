import { and, eq, inArray } from 'drizzle-orm'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { ActualLine, MonitoringItem } from '../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { conflict } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { getResourceTable } from '../../core/database/tables.ts'

/** The reference fields of a line of actuals, and their names in messages. */
const lineReferences = [
  [resources.budgetCode, 'budgetCodeId', 'budget code'],
  [resources.costCentre, 'costCentreId', 'cost centre'],
  [resources.fundCode, 'fundCodeId', 'fund code'],
  [resources.analysisTag, 'analysisTagId', 'analysis tag'],
] as const

/** The ids of the records that a line refers to. Notes, adjustments and forecasts refer only to a budget code. */
type CodeReferences = Partial<Pick<ActualLine, (typeof lineReferences)[number][1]>>

/** Lists the references in an item: those of its lines, or its budget code. */
function listItemReferences(item: MonitoringItem): readonly CodeReferences[] {
  if (item.kind === 'month') return item.imports.flatMap(({ lines }) => lines)
  return item.kind === 'note' || item.kind === 'adjustment' || item.kind === 'forecast' ? [{ budgetCodeId: item.budgetCodeId }] : []
}

/** Lists the references that an event adds or restores: in the lines of a file, a note, an adjustment or a forecast. */
export function listEventReferences(event: MonitoringEvent): readonly CodeReferences[] {
  switch (event.type) {
    case 'ActualsImported':
      return event.data.lines
    case 'NoteSaved':
    case 'AdjustmentSaved':
      return [{ budgetCodeId: event.data.budgetCodeId }]
    case 'ForecastChosen':
      return event.data.budgetCodeIds.map((budgetCodeId) => ({ budgetCodeId }))
    case 'ChangeUndone':
      return event.data.things.flatMap(({ item }) => (item ? listItemReferences(item) : []))
    default:
      return []
  }
}

/**
 * Locks the records that actuals, notes and adjustments refer to until the end of the transaction. A concurrent
 * delete waits and then finds that the record is in use. A call that changes several logs must lock the references of
 * all of them with one call, in the same order as a delete of several records, so that the two cannot deadlock.
 * @throws DomainError 409 if a record was deleted since it was read
 */
export async function lockReferencedCodes(
  { tx, organisationId }: Call<'organisationId'>,
  references: readonly CodeReferences[],
): Promise<void> {
  if (!references.length) return
  for (const [resource, field, thing] of lineReferences) {
    const wanted = [...new Set(references.flatMap((naming) => naming[field] ?? []))]
    if (!wanted.length) continue
    const { table, columns } = getResourceTable(resource)
    const existing = await tx
      .select({ id: columns.id })
      .from(table)
      .where(and(eq(assertDefined(columns.organisationId), organisationId), inArray(columns.id, wanted)))
      .orderBy(columns.id)
      .for('key share')
    const missing = wanted.length - existing.length
    if (missing)
      throw conflict(
        'gone',
        missing === 1
          ? `This needs ${thing === 'analysis tag' ? 'an' : 'a'} ${thing} that has since been deleted. Restore it from the bin first.`
          : `This needs ${displayCount(missing, thing)} that have since been deleted. Restore them from the bin first.`,
      )
  }
}
