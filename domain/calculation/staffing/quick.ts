import { calculationType } from '../../lookups/lookupIds.ts'
import { assertDefined, requireItemAt, requireSingleRow } from '../../values/assertDefined.ts'
import { type Day, findBudgetBounds, type IsoDate, toDay, toIsoDate } from '../../values/calendar.ts'
import { div, fromInteger, plus, round, times } from '../exact.ts'
import type { ContractInput, Problem, SalaryRow } from '../inputs.ts'
import { costEmployee } from './cost.ts'
import type { PreparedCalculation } from './prepared.ts'
import { calculateFullTimeSalary, prepareRow } from './salary.ts'
import { buildStretch, prepareContracts } from './stretches.ts'

/** The cost of a post at the rates of one day, in whole pennies (columns of the quick calculator). */
export interface QuickResult {
  monthly: QuickAmounts
  annual: QuickAmounts
  hourlyRate: number
  dailyRate: number
}

/** Basic includes allowances, so that the three components add up to the total. */
export interface QuickAmounts {
  basic: number
  ni: number
  pension: number
  total: number
}

/** A post without dates: one salary row that applies throughout the budget. */
export interface QuickPost {
  contractType: string
  row: Omit<SalaryRow, 'effectiveDate' | 'calculationCeaseDate'>
}

/**
 * Costs a post as the engine would cost a contract on one day (rules.md §3 to §7). Our choices: annual national insurance is twelve times
 * that of the month; annual pay and pension use the unrounded annual salary at the rates of the day; without a date of birth, age bands do
 * not apply. For teachers a day is 1/195 and an hour 1/1265 of the full-time salary (STPCD); for other staff the hour follows from
 * full-time weeks and hours, and a day is a fifth of a week.
 * @param on a day within the budget
 */
export function calculateQuickCost(
  prepared: PreparedCalculation,
  post: QuickPost,
  on: IsoDate,
): { result: QuickResult | null; problems: Problem[] } {
  const { budget } = prepared.inputs
  const first = toIsoDate(findBudgetBounds(budget.firstYear, budget.years, budget.startMonth).first)
  const contract: ContractInput = {
    name: 'quick',
    contractType: post.contractType,
    startDate: first,
    endDate: null,
    maximumScalePoint: null,
    apprentice: false,
    attritionContract: false,
    rows: [{ ...post.row, effectiveDate: first, calculationCeaseDate: null }],
  }
  const day = toDay(on)
  const ready = requireSingleRow(prepareContracts(prepared, { contracts: [contract], leaves: [] }))
  const stretch = buildStretch(prepared, { contract: ready, day })
  const month = monthAt(prepared, day)
  const cost = requireSingleRow(costEmployee(prepared, { ages: null, leaves: [], contracts: [contract] }))
  const year = assertDefined(cost.years[Math.floor(month / 12)])
  const [gross, ni, pension] = [
    requireItemAt(year.gross, month % 12),
    requireItemAt(year.ni, month % 12),
    requireItemAt(year.pension, month % 12),
  ]
  if (stretch.problem || gross === null || ni === null || pension === null)
    return { result: null, problems: stretch.problem ? [stretch.problem] : cost.problems }
  let [annual, pensionable] = [stretch.basic, stretch.basic]
  for (const allowance of stretch.allowances) {
    annual = plus(annual, allowance.annual)
    if (allowance.pensionable) pensionable = plus(pensionable, allowance.annual)
  }
  const rate = stretch.inPension && stretch.pensionRate ? stretch.pensionRate.rate : fromInteger(0)
  const rates = findRates(prepared, { type: ready.type, contract, day })
  if ('problem' in rates) return { result: null, problems: [rates.problem] }
  return {
    result: {
      monthly: createAmounts(gross, ni, pension),
      annual: createAmounts(round(annual), ni * 12, round(times(pensionable, rate))),
      ...rates,
    },
    problems: [],
  }
}

function createAmounts(basic: number, ni: number, pension: number): QuickAmounts {
  return { basic, ni, pension, total: basic + ni + pension }
}

function monthAt(prepared: PreparedCalculation, day: Day): number {
  return Math.max(
    0,
    prepared.periods.findIndex((period) => day >= period.first && day <= period.last),
  )
}

function findRates(
  prepared: PreparedCalculation,
  { type, contract, day }: { type: Parameters<typeof prepareRow>[0]; contract: ContractInput; day: Day },
): Pick<QuickResult, 'hourlyRate' | 'dailyRate'> | { problem: Problem } {
  const row = assertDefined(contract.rows[0])
  const salary = prepareRow(type, null, row)
  const fullTime = calculateFullTimeSalary(prepared, { type, salary, day })
  if ('problem' in fullTime) return { problem: { code: fullTime.problem, text: fullTime.detail, from: toIsoDate(day) } }
  const kind = row.scalePoint?.kind
  if (kind === 'teacher' || kind === 'customTeacher')
    return { hourlyRate: round(div(fullTime.pennies, fromInteger(1265))), dailyRate: round(div(fullTime.pennies, fromInteger(195))) }
  const isHourlySpot = type.calculationType === calculationType.hourly && !row.scalePoint
  const hourly = isHourlySpot ? fullTime.pennies : div(div(fullTime.pennies, type.fullTimeWeeks), type.fullTimeHours)
  return { hourlyRate: round(hourly), dailyRate: round(div(times(hourly, type.fullTimeHours), fromInteger(5))) }
}
