import { assessSchool, compareSchoolsByUrgency } from '../../domain/reports/standing.ts'
import { trpc } from '../shell/api.ts'

/**
 * Loads the schools that the user can see, with figures of their budgets of record, those with the most urgent state first. The three calls
 * are made one after another. If they were made together, just after the calls of a sign-in, a server that is starting would refuse some of
 * them.
 */
export function useSchoolFigures() {
  const month = trpc.home.month.useQuery()
  const glance = trpc.reports.glance.useQuery(undefined, { enabled: !month.isPending })
  const cash = trpc.home.lowestCash.useQuery(undefined, { enabled: !glance.isPending })
  const { data } = glance
  if (!data || cash.isPending) return { glance, cash, schools: null }
  const schools = data.rows
    .map((row) => {
      const lowest = cash.data?.find((one) => one.locationId === row.locationId) ?? null
      const year = row.years[data.yearIndex ?? 0] ?? null
      const missing = (row.outlook ?? year)?.missing ?? 0
      return { ...row, ...assessSchool({ ...row, lowest }, data.yearIndex), lowest, year, missing }
    })
    .sort(compareSchoolsByUrgency)
  return { glance, cash, schools }
}

export type SchoolFigures = NonNullable<ReturnType<typeof useSchoolFigures>['schools']>[number]

/** Returns the expected in-year balance: the forecast if there are actuals, otherwise the budget. */
export function getExpectedBalance({ outlook, year }: SchoolFigures): number | null {
  return outlook ? outlook.forecast : (year?.inYear ?? null)
}

/** Describes a variance in words, because not every user can rely on a sign or a colour. */
export function describeVariance(pounds: number): string {
  return pounds < 0 ? 'worse than budget' : pounds > 0 ? 'better than budget' : 'as budgeted'
}
