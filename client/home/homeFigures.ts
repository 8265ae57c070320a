import { organisationType } from '../../domain/lookups/lookupIds.ts'
import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import { compareSchools, judgeSchool } from '../../domain/reports/standing.ts'
import { toPennies } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { useCore } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'

/** The index of the year that a month falls in; 0 if it falls in none of them. */
function indexOfYear(years: readonly string[], { year, month }: CalendarMonth, startMonth: number): number {
  const start = month >= startMonth ? year : year - 1
  return Math.max(
    0,
    years.findIndex((name) => name.startsWith(`${start}/`)),
  )
}

/**
 * The schools that the user sees, each with its budget of record, worst first. The three calls are made one after another:
 * made at once, on top of those of a sign-in, they would be more than a server that is just starting accepts from one user.
 */
export function useSchools() {
  const { organisations } = useCore()
  const { organisationId } = useSelection()
  const month = trpc.home.month.useQuery()
  const glance = trpc.reports.glance.useQuery(undefined, { enabled: !month.isPending })
  const cash = trpc.home.lowestCash.useQuery(undefined, { enabled: !glance.isPending })
  const type = organisations.find((one) => one.id === organisationId)?.type
  const isMaintained = type === organisationType.localAuthority || type === organisationType.maintainedSchool
  const { data } = glance
  if (!data || cash.isPending) return { glance, cash, schools: null }
  const at = indexOfYear(data.years, data.month, isMaintained ? 4 : 9)
  const schools = data.rows
    .map((row) => {
      const lowest = cash.data?.find((one) => one.locationId === row.locationId) ?? null
      const variance = row.outlook && (toPennies(row.outlook.forecast) - toPennies(row.outlook.budget)) / 100
      const facts = { warnings: row.warnings, variance, isShortOfCash: lowest?.isBelowFloor ?? false }
      const year = row.years[at] ?? null
      const missing = (row.outlook ?? year)?.missing ?? 0
      return { ...row, lowest, variance, standing: judgeSchool(facts), year, missing }
    })
    .sort(compareSchools)
  return { glance, cash, schools }
}

export type School = NonNullable<ReturnType<typeof useSchools>['schools']>[number]

/** The expected in-year balance: the forecast once there are actuals, otherwise the budget. */
export function outturnOf({ outlook, year }: School): number | null {
  return outlook ? outlook.forecast : (year?.inYear ?? null)
}

/** Describes a variance in words, because a sign or a colour alone is not accessible to everybody. */
export function describeVariance(pounds: number): string {
  return pounds < 0 ? 'worse than budget' : pounds > 0 ? 'better than budget' : 'as budgeted'
}
