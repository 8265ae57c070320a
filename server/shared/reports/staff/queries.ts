import { sql } from 'drizzle-orm'
import type { StaffContract } from '../../../../domain/budget/budget.ts'
import { type Figure, payScaleFlags, type YearCost } from '../../../../domain/calculation/inputs.ts'
import { readStoredCost, type StoredCost } from '../../../../domain/calculation/staffing/storedCost.ts'
import type { ContractYearCost, StaffFacts, StaffingContract } from '../../../../domain/reports/facts.ts'
import { calculateMeanFte } from '../../../../domain/reports/fte.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { firstDayOfMonth, formatBudgetYear, toIsoDate } from '../../../../domain/values/calendar.ts'
import type { BudgetId, StaffId } from '../../../../domain/values/ids.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { buildDocumentIdArray } from '../../../resources/listConditions.ts'
import { loadStaffByIds } from '../../../streams/budget/people.ts'
import { loadPointNames } from '../../../streams/budget/scalePoints.ts'
import {
  buildLineFilterCondition,
  checkStaffFilters,
  hasLineFilters,
  type ReportedScope,
  type ReportRequest,
  refuseLargeReport,
} from '../scopes/queries.ts'

/** The sum of twelve months; null if one could not be calculated. */
function yearOfMonths(months: readonly Figure[]): Figure {
  return months.reduce<Figure>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}

/** The yearly cost of a contract by kind of pay. Money recovered during leave counts with leave. */
function sumCostByKind(year: YearCost | undefined): Omit<ContractYearCost, 'fte'> {
  if (!year) return { basic: null, allowances: null, leave: null, ni: null, pension: null }
  const added = (all: readonly Figure[][]): Figure => yearOfMonths(all.map(yearOfMonths))
  return {
    basic: yearOfMonths(year.basic),
    allowances: added(Object.values(year.allowances)),
    leave: added([year.leavePay, year.leaveRecovery]),
    ni: yearOfMonths(year.ni),
    pension: yearOfMonths(year.pension),
  }
}

/**
 * The contracts of a request. By our own choice, filters by code, cost centre, fund or tag select contracts, and each selected contract
 * counts as a whole.
 * @throws DomainError 400 if a caller who may not see names uses such a filter, because the selection may be one person
 */
export async function readStaffFacts(
  { tx, organisationId }: Call<'organisationId'>,
  { budgets, years }: ReportedScope,
  { request, isNamed }: { request: ReportRequest; isNamed: boolean },
): Promise<StaffFacts> {
  refuseLargeReport(budgets.length * years.length)
  checkStaffFilters(request, isNamed)
  if (!budgets.length)
    throw new DomainError('notFound', 'noBudget', 'There is no budget to report on. Create one, or choose other locations.')
  const locationNames = new Map(budgets.map(({ id, location }) => [id, location.name]))
  const heads = new Map(budgets.map((budget) => [budget.id, budget.head]))
  const chosen = hasLineFilters(request)
    ? sql`and exists (select from budget_lines line where line.organisation_id = c.organisation_id and line.budget_id = c.budget_id
        and line.source_kind = 'contract' and line.source_id = c.id ${buildLineFilterCondition(request)})`
    : sql``
  const rows = await tx.execute<{
    id: string
    budgetId: BudgetId
    staffId: StaffId | null
    contract: StaffContract
    costing: StoredCost | null
  }>(sql`
    select c.id, c.budget_id as "budgetId", c.staff_id as "staffId", c.contract, cost.costing from staff_contracts c
    left join staff_costs cost on cost.organisation_id = c.organisation_id and cost.budget_id = c.budget_id and cost.contract_id = c.id
    where c.organisation_id = ${organisationId} and c.budget_id = any(${buildDocumentIdArray([...heads.keys()])}) ${chosen}`)
  const found = [...rows]
  const people = isNamed ? await loadStaffByIds(tx, organisationId, [...new Set(found.flatMap((row) => row.staffId ?? []))]) : new Map()
  const points = isNamed
    ? await loadPointNames(
        tx,
        found.map((row) => ({ ...row.contract, version: 0, savedAt: '', created: '' })),
      )
    : new Map()
  const types = new Map((await readResourceRecords(tx, resources.contractType)).map((type) => [type.id, type]))
  const terms = new Map((await readResourceRecords(tx, resources.serviceTerm)).map((term) => [term.id, `${term.code} ${term.description}`]))
  const contracts = found.map(({ id, budgetId, staffId, contract, costing }): StaffingContract => {
    const head = assertDefined(heads.get(budgetId))
    const type = types.get(contract.contractTypeId)
    const first = toIsoDate(firstDayOfMonth(assertDefined(years[0]), head.startMonth))
    const sorted = [...contract.salary].sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
    const row = sorted.filter((one) => one.effectiveDate <= first).at(-1) ?? sorted[0]
    const member = staffId === null ? undefined : people.get(staffId)
    const cost = costing && readStoredCost(costing)
    return {
      id,
      budgetId,
      location: assertDefined(locationNames.get(budgetId)),
      personId: staffId,
      payrollCode: terms.get(contract.serviceTerms[0] ?? -1) ?? 'No payroll code',
      employee: member ? `${member.surname}, ${member.forename}` : contract.attritionContract ? 'Planned saving' : 'Vacancy',
      post: formatPostTitle(contract),
      type: type?.name ?? '',
      isTeacher: Boolean(contract.type & (payScaleFlags.teacher | payScaleFlags.customTeacher)),
      point: row?.scalePoint ? (points.get(row.scalePoint.id) ?? '') : row?.spotAdjustment != null ? 'Spot' : '',
      works: formatWorkingTime(row),
      startDate: contract.startDate,
      endDate: contract.endDate,
      years: years.map((year) => ({
        ...sumCostByKind(cost?.years[year - head.firstYear]),
        fte:
          type?.fullTimeHours && type.fullTimeWeeks
            ? calculateMeanFte(contract, {
                type: { calculationType: type.calculationType, fullTimeHours: type.fullTimeHours, fullTimeWeeks: type.fullTimeWeeks },
                year,
                startMonth: head.startMonth,
              })
            : null,
      })),
    }
  })
  return { years: years.map((year) => formatBudgetYear(year, 0)), contracts, isNamed, notCalculated: countNotCalculated(contracts) }
}

function countNotCalculated(contracts: readonly StaffingContract[]): number {
  return contracts.filter((one) =>
    one.years.some((year) => [year.basic, year.allowances, year.leave, year.ni, year.pension].includes(null)),
  ).length
}

/** The contracts in some of the budgets. */
export function filterStaffFacts(facts: StaffFacts, budgetIds: ReadonlySet<string>): StaffFacts {
  const contracts = facts.contracts.filter((one) => budgetIds.has(one.budgetId))
  return { ...facts, contracts, notCalculated: countNotCalculated(contracts) }
}

/** The title of a contract: its name and position; the position is left out if it repeats the name. */
function formatPostTitle({ contractName, position }: StaffContract): string {
  const isSaid = contractName.toLowerCase().includes((position ?? '').toLowerCase())
  return isSaid ? contractName : [contractName, position].filter(Boolean).join(', ')
}

function formatWorkingTime(row: StaffContract['salary'][number] | undefined): string {
  if (!row) return ''
  if (row.hoursPerWeek !== null) return `${row.hoursPerWeek} hours${row.weeksPerYear === null ? '' : ` × ${row.weeksPerYear} weeks`}`
  return `${row.fte ?? 1} FTE`
}
