import { calculateContactRatio } from '../../../../domain/reports/measures/measures.ts'
import { sumTeacherFte } from '../../../../domain/reports/measures/measuresReport.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readTimetabledPupils } from '../pupils/queries.ts'
import type { ReportedScope } from '../scopes/queries.ts'
import { filterStaffFacts, readStaffFacts } from '../staff/queries.ts'

/** The contact ratio of the first year shown, by budget. Budgets without a timetable have no ratio (rules.md §20). */
export async function readContactRatios(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { budgets, years }: Pick<ReportedScope, 'budgets' | 'years'>,
): Promise<Map<string, number>> {
  const [year] = years
  const sets = await readTimetabledPupils(
    tx,
    organisationId,
    budgets.map(({ id }) => id),
  )
  const typed = budgets.filter(({ id }) => sets.get(id)?.lessons?.length)
  if (year === undefined || !typed.length) return new Map()
  const staff = await readStaffFacts(
    { tx, organisationId },
    { budgets: typed, years: [year], leftOut: [] },
    { request: {}, isNamed: false },
  )
  return new Map(
    typed.flatMap(({ id, head }) => {
      const ratio = calculateContactRatio(
        sets.get(id)?.lessons?.[year - head.firstYear],
        sumTeacherFte(filterStaffFacts(staff, new Set([id])), 0),
      )
      return ratio === null ? [] : [[id, ratio] as const]
    }),
  )
}
