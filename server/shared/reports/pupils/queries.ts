import { and, eq, sql } from 'drizzle-orm'
import type { PupilNumbers } from '../../../../domain/budget/items/pupilNumbers.ts'
import { type PupilRow, rollUpPupilCounts } from '../../../../domain/calculation/nonStaffing/pupils.ts'
import type { PupilFacts } from '../../../../domain/reports/facts.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { budgetItems } from '../../../../drizzle/costTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { buildDocumentIdArray } from '../../../resources/listConditions.ts'
import { asItemOfKind } from '../../../streams/budget/items.ts'
import { createNoBudgetError, type ReportedScope, type ReportRequest } from '../scopes/queries.ts'

/** The pupil numbers entered in each budget. */
export async function readPupilsOfBudgets(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<Map<string, PupilRow[]>> {
  return new Map([...(await readTimetabledPupils(tx, organisationId, budgetIds))].map(([id, { rows }]) => [id, rows]))
}

/** The pupil numbers with timetables of each budget. */
export async function readTimetabledPupils(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<Map<string, PupilNumbers>> {
  const rows = await tx
    .select({ budgetId: budgetItems.budgetId, item: budgetItems.item })
    .from(budgetItems)
    .where(
      and(
        eq(budgetItems.organisationId, organisationId),
        eq(budgetItems.kind, 'pupils'),
        sql`${budgetItems.budgetId} = any(${buildDocumentIdArray([...new Set(budgetIds)])})`,
      ),
    )
  return new Map(rows.map(({ budgetId, item }) => [budgetId, asItemOfKind('pupils', item)]))
}

/** The data of pupil reports. If no years are requested, they start with the October before the first year. */
export async function readPupilFacts(
  { tx, organisationId }: Call<'organisationId'>,
  { budgets, years }: ReportedScope,
  { request: { yearNames }, spread }: { request: ReportRequest; spread: PupilFacts['spread'] },
): Promise<PupilFacts> {
  const [first] = years
  if (first === undefined) throw createNoBudgetError()
  const typed = await readPupilsOfBudgets(
    tx,
    organisationId,
    budgets.map((budget) => budget.id),
  )
  return {
    spread,
    octobers: yearNames?.length || spread === 'locations' ? years : [first - 1, ...years],
    budgets: budgets.flatMap(({ id, head, location }) => {
      const rows = rollUpPupilCounts(typed.get(id) ?? [], head.numberOfYears)
      // The central office of a trust has no pupils; a school without entered numbers is unknown.
      return rows.length || !location.isCentral
        ? [{ location: { id: location.id, name: location.name }, before: head.firstYear - 1, rows }]
        : []
    }),
  }
}
