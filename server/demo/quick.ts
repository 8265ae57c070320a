import { createHash } from 'node:crypto'
import type { BudgetEvent } from '../../domain/budget/events.ts'
import { payScaleFlags } from '../../domain/calculation/inputs.ts'
import { must } from '../../domain/values/must.ts'
import type { Call } from '../core/calls/call.ts'
import { loadBudget } from '../streams/budget/queries.ts'
import { scalePoints } from '../streams/budget/scalePoints.ts'
import { commit } from '../streams/budget/stream.ts'
import type { Names } from './codes.ts'

/** Posts that a school thinks about: what they are called, how they are paid, and for how long a week. */
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

/** A few quick calculations for a budget, as somebody has left them. */
export async function quickCalculations(call: Call<'organisationId' | 'budgetId' | 'actor'>, names: Names, points: Names): Promise<void> {
  const { tx, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  const ids = posts.map(({ table, point }) => must(points.get(`${names.get(`adminTable ${table}`)} ${point}`)))
  const kept = await scalePoints(tx, ids)
  const events = posts.map(({ name, type, hours, weeks, fte }, index): BudgetEvent => {
    const scalePoint = must(kept.get(must(ids[index])))
    const calculation = {
      id: createHash('sha256').update(`${budgetId} ${name}`).digest('hex').slice(0, 24),
      name,
      type: payScaleFlags[scalePoint.kind],
      contractTypeId: must(names.get(`contractType ${type}`)),
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
  await commit({ tx, actor: { ...actor, requestId: `${actor.requestId}-${budgetId}-quick` } }, row, { events })
}
