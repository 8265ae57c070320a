import { compareValues } from '../../../domain/lists.ts'
import { recalculationState } from '../../../domain/lookupIds.ts'
import { type CalendarMonth, monthAt, monthIndex } from '../../../domain/monitoring/monitoring.ts'
import { inTheWay } from '../../../domain/monitoring/monthEnd.ts'
import { either, type Holder, may } from '../../../domain/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { rowsOf } from '../../core/database/tables.ts'
import { costStates } from '../calculation/recalculation/queries.ts'
import { type Head, headsWhere } from '../monitoring/asking/queries.ts'
import { standingOf } from '../monitoring/monthEnd/queries.ts'
import { monthByLocation } from '../monitoring/outlook/queries.ts'

/** Who looks, and where. */
export interface Looking {
  organisationId: number
  holder: Holder & { locationIds: number[] | null }
}

/** A budget that something is to be done with. */
export interface WaitingBudget {
  budgetId: string
  budget: string
  locationId: number
  location: string
}

/** Some of what waits, the first by name, of so many. */
export interface Some<T> {
  count: number
  first: T[]
}

export interface Waiting {
  /** Submitted budgets that the caller may approve. */
  toApprove: Some<WaitingBudget>
  /** Returned budgets that the caller may submit again. */
  returned: Some<WaitingBudget>
  /** Budgets that the caller may recalculate, whose costs are older than what they are made of. */
  toRecalculate: Some<WaitingBudget>
}

/** A location whose month is not closed, and what stands in the way; nothing: it can be closed. */
export interface OpenMonth {
  locationId: number
  location: string
  inTheWay: string[]
}

export interface MonthToClose {
  month: CalendarMonth
  closed: number
  open: Some<OpenMonth>
}

/** Most of a kind that are named. */
const mostNamed = 20

const approving = ['ConsoleBudgetManagementReadUpdate'] as const
const submitting = [...approving, 'BudgetingOverviewReadUpdate'] as const
const recalculating = ['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate', 'ConsoleBudgetManagementReadUpdate'] as const

/** The budgets that wait for the caller. */
export async function waitingOf(tx: OrganisationTx, who: Looking): Promise<Waiting> {
  const { holder, organisationId } = who
  const heads = await headsWhere(tx, who, undefined)
  const places = new Map((await rowsOf(tx, resources.location, 'organisationId', [organisationId])).map((place) => [place.id, place.name]))
  const open = heads.filter(({ head }) => !head.locked)
  const costs = may(holder, recalculating) ? await costStates(tx, organisationId) : null
  const among = (budgets: readonly Head[]): Some<WaitingBudget> => ({
    count: budgets.length,
    first: budgets
      .map(({ id, locationId, head }) => ({ budgetId: id, budget: head.name, locationId, location: places.get(locationId) ?? '' }))
      .sort((a, b) => compareValues(a.location, b.location) || compareValues(a.budget, b.budget))
      .slice(0, mostNamed),
  })
  const standing = (state: 'submitted' | 'returned'): Head[] => open.filter(({ head }) => head.approval?.state === state)
  const isBehind = ({ id }: Head): boolean => {
    const state = costs?.get(id)?.state
    return state === recalculationState.required || state === recalculationState.failed
  }
  return {
    toApprove: among(may(holder, approving) ? standing('submitted') : []),
    returned: among(may(holder, submitting) ? standing('returned') : []),
    toRecalculate: among(open.filter(isBehind)),
  }
}

/** How far the month before today's is at the locations that the caller may see; null: they may not see month ends. */
export async function monthToClose(tx: OrganisationTx, who: Looking, now: Date): Promise<MonthToClose | null> {
  if (!may(who.holder, either('ConsoleMonitoring', 'ConsoleMonitoringBudgetActuals', 'BudgetingMonitoringBudgetActuals'))) return null
  const month = monthAt(monthIndex({ year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 }) - 1)
  const all = (await standingOf(tx, who, month, null, await monthByLocation(tx, who, month))).filter((one) => one.budgetId)
  const open = all.filter(({ end }) => !end.closed)
  return {
    month,
    closed: all.length - open.length,
    open: {
      count: open.length,
      first: open.slice(0, mostNamed).map(({ locationId, location, ticks, readiness }) => ({
        locationId,
        location,
        inTheWay: inTheWay(ticks, readiness),
      })),
    },
  }
}
