import { createHash } from 'node:crypto'
import type { BudgetEvent } from '../../domain/budget/events.ts'
import { payScaleFlags } from '../../domain/calculation/inputs.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { Call } from '../core/calls/call.ts'
import { loadBudget } from '../streams/budget/queries.ts'
import { loadScalePoints } from '../streams/budget/scalePoints.ts'
import { commitEvents } from '../streams/budget/stream.ts'
import type { IdsByName } from './trustRecords.ts'

const posts = [
  { name: 'Class teacher on M3', type: 'Teacher', table: 'Teachers Sept 2026', point: 'Main 3', hours: null, weeks: null, fte: 1 },
  {
    name: 'Deputy headteacher on L12',
    type: 'Teacher',
    table: 'Teachers Sept 2026',
    point: 'Leadership 12',
    hours: null,
    weeks: null,
    fte: 1,
  },
  { name: 'Teaching assistant, 30 hours', type: 'Support', table: 'NJC April 2026', point: 'NJC 4', hours: 30, weeks: 44.86, fte: null },
] as const

export async function saveQuickCalculations(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  names: IdsByName,
  points: IdsByName,
): Promise<void> {
  const { tx, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  const ids = posts.map(({ table, point }) => assertDefined(points.get(`${names.get(`adminTable ${table}`)} ${point}`)))
  const pointsById = await loadScalePoints(tx, ids)
  const events = posts.map(({ name, type, hours, weeks, fte }, index): BudgetEvent => {
    const scalePoint = assertDefined(pointsById.get(assertDefined(ids[index])))
    const calculation = {
      id: createHash('sha256').update(`${budgetId} ${name}`).digest('hex').slice(0, 24),
      name,
      type: payScaleFlags[scalePoint.kind],
      contractTypeId: assertDefined(names.get(`contractType ${type}`)),
      scalePoint,
      spotOrAdjustment: null,
      allowanceIds: [],
      eRpension: true,
      hoursPerWeek: hours,
      paidWeeksPerYear: weeks,
      fte,
    }
    return { type: 'QuickCalculationSaved', data: { calculation } }
  })
  await commitEvents({ tx, actor: { ...actor, requestId: `${actor.requestId}-${budgetId}-quick` } }, row, { events })
}
