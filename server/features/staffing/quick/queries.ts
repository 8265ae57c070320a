import { sql } from 'drizzle-orm'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { buildLondonDayColumn, createTextSearch, type ListSource } from '../../../resources/listPages.ts'

const number = (name: string) => ({ value: sql.raw(`(q.calculation ->> '${name}')::numeric`), kind: 'number' }) as const

/** The quick calculations of a budget. Results are calculated only for the rows on the page, so the list cannot be filtered by them. */
export const listQuickCalculations = ({
  organisationId,
  budgetId,
}: {
  organisationId: OrganisationId
  budgetId: BudgetId
}): ListSource => ({
  from: sql`quick_calculations q`,
  where: sql`q.organisation_id = ${organisationId} and q.budget_id = ${budgetId}`,
  id: sql`q.id`,
  columns: {
    id: { value: sql`q.id`, kind: 'text' },
    version: { value: sql`q.version`, kind: 'number' },
    created: buildLondonDayColumn(sql`q.created`),
    name: { value: sql`q.calculation ->> 'name'`, kind: 'text' },
    type: number('type'),
    contractTypeId: number('contractTypeId'),
    scalePointId: { value: sql`(q.calculation #>> '{scalePoint,id}')::integer`, kind: 'number' },
    spotOrAdjustment: number('spotOrAdjustment'),
    allowanceIds: { value: sql`array(select value::integer from jsonb_array_elements_text(q.calculation -> 'allowanceIds'))`, kind: 'ids' },
    eRpension: { value: sql`(q.calculation ->> 'eRpension')::boolean`, kind: 'flag' },
    hoursPerWeek: number('hoursPerWeek'),
    paidWeeksPerYear: number('paidWeeksPerYear'),
    fte: number('fte'),
  },
  search: createTextSearch([sql`q.calculation ->> 'name'`]),
  defaultSort: 'name',
  ties: sql`q.id`,
})
