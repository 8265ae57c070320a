import type { AllowanceInput, ContractInput, LeaveRule, SalaryRow } from '../../../domain/calculation/inputs.ts'
import type { CostCase } from '../../../domain/calculation/staffing/case.ts'

/**
 * A second implementation of rules.md, as simple as possible: every day of every month separately, in fractions of big integers, without
 * any code of the engine. Tests compare the engine with it where no case was worked out by hand.
 */
type Q = readonly [bigint, bigint]
const q = (value: string | number): Q => {
  const [whole, part = ''] = String(value).split('.')
  return [BigInt(`${whole}${part}`), 10n ** BigInt(part.length)]
}
const n = (value: number): Q => [BigInt(value), 1n]
const gcd = (a: bigint, b: bigint): bigint => (b ? gcd(b, a % b) : a < 0n ? -a : a)
const low = ([a, b]: Q): Q => {
  const g = gcd(a, b) || 1n
  return [a / g, b / g]
}
const add = (a: Q, b: Q): Q => low([a[0] * b[1] + b[0] * a[1], a[1] * b[1]])
const mul = (...all: Q[]): Q => low(all.reduce((a, b) => [a[0] * b[0], a[1] * b[1]]))
const div = (a: Q, b: Q): Q => low(b[0] < 0n ? [-a[0] * b[1], -a[1] * b[0]] : [a[0] * b[1], a[1] * b[0]])
const less = (a: Q, b: Q): boolean => a[0] * b[1] < b[0] * a[1]
const max = (a: Q, b: Q): Q => (less(a, b) ? b : a)
const min = (a: Q, b: Q): Q => (less(a, b) ? a : b)
const round = ([a, b]: Q): number => Number(a < 0n ? -((-2n * a + b) / (2n * b)) : (2n * a + b) / (2n * b))
const percent = (value: string): Q => div(q(value), n(100))

const iso = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
const effective = <T extends { effectiveDate: string }>(rows: readonly T[], date: string): T | undefined =>
  rows.filter((row) => row.effectiveDate <= date).sort((a, b) => (a.effectiveDate < b.effectiveDate ? 1 : -1))[0]

export type DayResult = {
  gross: number | null
  leavePay: number | null
  recovery: number | null
  pension: number | null
  ni: number | null
}
const nothing: DayResult = { gross: null, leavePay: null, recovery: null, pension: null, ni: null }

interface Day {
  basic: Q
  allowances: Map<string, { amount: Q; pensionable: boolean }>
  row: SalaryRow
}

/** Pay on a day without leave, as annual amounts; null if nothing is paid; undefined if it cannot be calculated. */
function yearOn(costCase: CostCase, contract: ContractInput, date: string): Day | null | undefined {
  if (date < contract.startDate || (contract.endDate && date > contract.endDate)) return null
  const row = effective(contract.rows, date)
  if (!row) return undefined
  if (row.calculationCeaseDate && date > row.calculationCeaseDate) return null
  const type = costCase.contractTypes[contract.contractType]!
  const [fullHours, fullWeeks] = [q(type.fullTimeHours ?? '37'), q(type.fullTimeWeeks ?? '52.143')]
  const awarded = (value: Q, after: string): Q =>
    (costCase.assumptions[contract.contractType]?.inflation ?? [])
      .filter((rate) => rate.effectiveDate > after && rate.effectiveDate <= date)
      .reduce((sum, rate) => mul(sum, add(n(1), percent(rate.rate))), value)
  let fullTime: Q
  if (row.scalePoint) {
    const { kind, scale } = row.scalePoint
    const flag = { teacher: 1, customTeacher: 2, support: 4, customSupport: 8 }[kind]
    const element = effective(costCase.budgetElements[`${kind}PayScales`], date)
    if (!(type.payScaleTypes & flag) || !element) return undefined
    let { increment } = row.scalePoint
    const maximum = contract.maximumScalePoint
    if (maximum && maximum.kind === kind && maximum.scale === scale) {
      const support = flag >= 4
      const month = type.incrementMonth ?? (support ? 4 : 9)
      for (let year = Number(row.effectiveDate.slice(0, 4)); year <= Number(date.slice(0, 4)); year++) {
        const day = iso(year, month, 1)
        if (day <= row.effectiveDate || day > date || increment >= maximum.increment) continue
        if (support && sixMonthsAfter(row.effectiveDate) > day) continue
        increment++
      }
    }
    let at = { scale, increment }
    const tables = costCase.budgetElements[`${kind}PayScales`].filter((one) => one.effectiveDate <= date)
    for (const { table } of tables.sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))) {
      const move = costCase.tables.payScales[table]?.moves?.find((one) => one.scale === at.scale && one.increment === at.increment)
      if (move) at = { scale: move.toScale, increment: move.toIncrement }
    }
    const point = costCase.tables.payScales[element.table]?.points.find((one) => one.scale === at.scale && one.increment === at.increment)
    const rate = point?.[`${costCase.budget.payArea}Rate`]
    if (!rate) return undefined
    fullTime = add(awarded(q(rate), element.effectiveDate), q(row.spotAdjustment ?? '0'))
  } else {
    if (row.spotAdjustment === null) return undefined
    fullTime = awarded(q(row.spotAdjustment), row.effectiveDate)
  }
  const [hours, weeks] = [
    row.hoursPerWeek === null ? fullHours : q(row.hoursPerWeek),
    row.weeksPerYear === null ? fullWeeks : q(row.weeksPerYear),
  ]
  const share = type.calculationType === 1 ? q(row.fte ?? '1') : mul(div(hours, fullHours), div(weeks, fullWeeks))
  const hourly = row.scalePoint ? div(n(round(mul(div(div(fullTime, fullWeeks), fullHours), n(100)))), n(100)) : fullTime
  const basic = type.calculationType === 3 ? mul(hourly, hours, weeks) : mul(fullTime, share)
  const allowances = new Map(
    row.allowances.map((name) => {
      const allowance = costCase.allowances[name] as AllowanceInput
      const rate = effective(allowance.rates, date)
      const value = !rate ? n(0) : allowance.inflationSetting === 'staff' ? awarded(q(rate.value), rate.effectiveDate) : q(rate.value)
      return [name, { amount: allowance.proRate ? mul(value, share) : value, pensionable: allowance.erPension }]
    }),
  )
  return { basic, allowances, row }
}

function sixMonthsAfter(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 6, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + 6, Math.min(day, last))).toISOString().slice(0, 10)
}

/** Every month of every contract of a case, in whole pennies. */
export function calculateDayByDay(costCase: CostCase): DayResult[][] {
  const { firstYear, years, startMonth } = costCase.budget
  const months = Array.from({ length: years * 12 }, (_unused, index) => {
    const at = startMonth - 1 + index
    return { year: firstYear + Math.floor(at / 12), month: (at % 12) + 1 }
  })
  const { contracts } = costCase.employee
  const results = contracts.map((contract) => months.map(({ year, month }) => monthOf(costCase, contract, year, month)))
  const employed = contracts.map((_one, index) => index).filter((index) => !contracts[index]!.attritionContract)
  const groups = [employed, ...contracts.flatMap((contract, index) => (contract.attritionContract ? [[index]] : []))]
  for (const group of groups)
    for (const [at, { year, month }] of months.entries()) insure(costCase, group, contracts, results, at, year, month)
  return results.map((result, index) =>
    result.map(({ inPension: _in, ...figures }) =>
      contracts[index]!.attritionContract
        ? (Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure ? -figure : figure])) as DayResult)
        : figures,
    ),
  )
}

type MonthResult = DayResult & { inPension: boolean }

function monthOf(costCase: CostCase, contract: ContractInput, year: number, month: number): MonthResult {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const sums = { basic: n(0), leavePay: n(0), recovery: n(0), pension: n(0) }
  const allowances = new Map<string, Q>()
  let inPension = false
  let [failed, noRate] = [false, false]
  for (let day = 1; day <= days; day++) {
    const date = iso(year, month, day)
    const on = yearOn(costCase, contract, date)
    if (on === null) continue
    if (on === undefined) {
      failed = true
      inPension ||= effective(contract.rows, date)?.erPension ?? false
      continue
    }
    inPension ||= on.row.erPension
    const share = div(n(1), n(12 * days))
    let [normal, pensionable] = [mul(on.basic, share), mul(on.basic, share)]
    for (const one of on.allowances.values()) {
      normal = add(normal, mul(one.amount, share))
      if (one.pensionable) pensionable = add(pensionable, mul(one.amount, share))
    }
    const leave = contract.attritionContract
      ? undefined
      : costCase.employee.leaves.find((one) => date >= one.startDate && date <= one.endDate)
    if (!leave) {
      sums.basic = add(sums.basic, mul(on.basic, share))
      for (const [name, one] of on.allowances) allowances.set(name, add(allowances.get(name) ?? n(0), mul(one.amount, share)))
    } else {
      const week = Math.floor((dayNumber(date) - dayNumber(leave.startDate)) / 7) + 1
      const rule = costCase.leaveRulesets[leave.ruleset]!.find((one) => week >= one.firstWeek && week <= one.lastWeek)
      const paid = rule ? leaveDay(costCase, contract, leave, rule, date, normal) : { paid: n(0), recovered: n(0) }
      if (!paid) {
        failed = true
        continue
      }
      sums.leavePay = add(sums.leavePay, paid.paid)
      sums.recovery = add(sums.recovery, paid.recovered)
      pensionable = !rule || rule.erPensionCalculation === 0 ? n(0) : rule.erPensionCalculation === 1 ? paid.paid : pensionable
    }
    if (!on.row.erPension) continue
    const rate = effective(costCase.assumptions[contract.contractType]?.erPension ?? [], date)
    if (rate) sums.pension = add(sums.pension, mul(pensionable, percent(rate.rate)))
    else if (!leave || (pensionRuleOf(costCase, leave, date) ?? 0) !== 0) noRate = true
  }
  if (failed) return { ...nothing, inPension }
  const penny = (value: Q): number => round(mul(value, n(100)))
  const leavePay = penny(sums.leavePay)
  const gross = [...allowances.values()].reduce((sum, value) => sum + penny(value), penny(sums.basic) + leavePay)
  return { gross, leavePay, recovery: 0 - penny(sums.recovery), pension: noRate ? null : penny(sums.pension), ni: null, inPension }
}

function pensionRuleOf(costCase: CostCase, leave: CostCase['employee']['leaves'][number], date: string): number | undefined {
  const week = Math.floor((dayNumber(date) - dayNumber(leave.startDate)) / 7) + 1
  return costCase.leaveRulesets[leave.ruleset]!.find((one) => week >= one.firstWeek && week <= one.lastWeek)?.erPensionCalculation
}

function leaveDay(
  costCase: CostCase,
  contract: ContractInput,
  leave: CostCase['employee']['leaves'][number],
  rule: LeaveRule,
  date: string,
  normal: Q,
): { paid: Q; recovered: Q } | null {
  const pay = mul(normal, percent(rule.payPercentage))
  let statutory = n(0)
  if (Number(rule.extendedLeaveRatePercentage) !== 0) {
    const weeklyEarnings = earnings(costCase, leave)
    if (!weeklyEarnings) return null
    const all = (leave.weekly ? Object.values(leave.weekly).map(q) : [...weeklyEarnings.values()]).reduce(add, n(0))
    const inForce = (on: string) => {
      const element = effective(costCase.budgetElements.extendedLeave, on)
      return element && costCase.tables.extendedLeave[element.table]?.find((one) => one.name === leave.type)
    }
    const floor = inForce(leave.startDate)?.earningsFloor
    let due = n(0)
    if (less(n(0), all) && !(floor && less(all, q(floor)))) {
      const type = inForce(date)
      if (!rule.useAWE && !type) return null
      const capped = (rate: Q): Q => (rule.rateCapPercentage == null ? rate : min(rate, mul(all, percent(rule.rateCapPercentage))))
      const weekly = rule.useAWE ? all : capped(q(type!.rate))
      due = div(mul(weekly, percent(rule.extendedLeaveRatePercentage)), n(7))
    }
    const paying = employed(costCase).filter((one) => {
      const row = effective(one.rows, date)
      const isActive = date >= one.startDate && (!one.endDate || date <= one.endDate)
      return isActive && row && !(row.calculationCeaseDate && date > row.calculationCeaseDate)
    })
    const together = paying.reduce((sum, one) => add(sum, weeklyEarnings.get(one)!), n(0))
    statutory = less(n(0), together) ? div(mul(due, weeklyEarnings.get(contract)!), together) : n(0)
  }
  const paid = rule.payInclusive ? max(pay, statutory) : max(statutory, min(normal, add(pay, statutory)))
  const occupational = rule.payInclusive ? pay : add(paid, mul(n(-1), statutory))
  return {
    paid,
    recovered: add(
      mul(occupational, percent(rule.payRecoveryPercentage)),
      mul(statutory, percent(rule.extendedLeaveRateRecoveryPercentage)),
    ),
  }
}

const employed = (costCase: CostCase): ContractInput[] => costCase.employee.contracts.filter((one) => !one.attritionContract)

/** The weekly earnings of each contract before a leave; null if one of them cannot be calculated. */
function earnings(costCase: CostCase, leave: CostCase['employee']['leaves'][number]): Map<ContractInput, Q> | null {
  const isActive = (one: ContractInput, date: string) => date >= one.startDate && (!one.endDate || date <= one.endDate)
  const before = dateOf(dayNumber(leave.startDate) - 1)
  const starts = employed(costCase).filter((one) => one.startDate > before && isActive(one, one.startDate))
  const isAny = employed(costCase).some((one) => isActive(one, before))
  const day = isAny || !starts.length ? before : starts.map((one) => one.startDate).sort()[0]!
  const weekly = new Map<ContractInput, Q>()
  for (const contract of employed(costCase)) {
    let weeklyEarnings: Q | null | undefined = leave.weekly && q(leave.weekly[contract.name] ?? '0')
    if (!weeklyEarnings) weeklyEarnings = isActive(contract, day) ? weeklyFrom(costCase, contract, day) : n(0)
    if (weeklyEarnings === null) return null
    weekly.set(contract, weeklyEarnings)
  }
  return weekly
}

function weeklyFrom(costCase: CostCase, contract: ContractInput, day: string): Q | null {
  const tablesOf = (kind: NonNullable<SalaryRow['scalePoint']>['kind']) => costCase.budgetElements[`${kind}PayScales`]
  const dates = [
    day,
    ...contract.rows.map((one) => one.effectiveDate),
    ...contract.rows.flatMap((one) => (one.scalePoint ? tablesOf(one.scalePoint.kind).map((table) => table.effectiveDate) : [])),
  ]
  for (const date of dates.filter((one) => one >= day && !(contract.endDate && one > contract.endDate)).sort()) {
    const row = effective(contract.rows, date)
    if (!row) continue
    if (row.calculationCeaseDate && date > row.calculationCeaseDate) return n(0)
    const flag = row.scalePoint && { teacher: 1, customTeacher: 2, support: 4, customSupport: 8 }[row.scalePoint.kind]
    const mayUse = flag === null || Boolean(costCase.contractTypes[contract.contractType]!.payScaleTypes & flag)
    if (row.scalePoint && !(mayUse && effective(tablesOf(row.scalePoint.kind), date))) continue
    const on = yearOn(costCase, contract, date)
    if (!on) return null
    const annual = [...on.allowances.values()].reduce((sum, one) => add(sum, one.amount), on.basic)
    return max(n(0), div(annual, n(52)))
  }
  return null
}

function insure(
  costCase: CostCase,
  group: readonly number[],
  contracts: readonly ContractInput[],
  results: MonthResult[][],
  at: number,
  year: number,
  month: number,
): void {
  const monthResults = group.map((index) => results[index]![at]!)
  if (monthResults.some((one) => one.gross === null)) return
  const total = monthResults.reduce((sum, one) => sum + one.gross!, 0)
  if (total <= 0) {
    for (const one of monthResults) one.ni = 0
    return
  }
  const last = iso(year, month, new Date(Date.UTC(year, month, 0)).getUTCDate())
  const element = effective(costCase.budgetElements.nationalInsurance, last)
  const born = costCase.employee.dateOfBirth
  const turns = (age: number): string =>
    new Date(Date.UTC(Number(born!.slice(0, 4)) + age, Number(born!.slice(5, 7)) - 1, Number(born!.slice(8)))).toISOString().slice(0, 10)
  const apprentice = group.every((index) => results[index]![at]!.gross === 0 || contracts[index]!.apprentice)
  const pension = monthResults.some((one) => one.inPension)
  const monthly = (annual: string): number => round(div(q(annual), n(12))) * 100
  const band = (element ? costCase.tables.nationalInsurance[element.table]! : []).find(
    (row) =>
      row.apprentice === apprentice &&
      (row.pension === null || row.pension === pension) &&
      total >= monthly(row.bandStart) &&
      (row.bandEnd === null || total < monthly(row.bandEnd)) &&
      (born === null
        ? row.maxAge === null
        : (row.minAge === 0 || turns(row.minAge) <= last) && (row.maxAge === null || turns(row.maxAge) > last)),
  )
  if (!band) return
  const [a, b] = add(
    mul(div(q(band.base), n(12)), n(100)),
    mul(n(total - monthly(band.bandStart)), div(add(q(band.rate), mul(q(band.rebate), n(-1))), n(100))),
  )
  const due = a <= 0n ? 0 : Number((2n * a + b - 1n) / (2n * b))
  share(due, monthResults)
}

/** Shares whole pennies by gross pay: rounded down, then a penny each to the largest remainders, the earlier first. */
function share(due: number, monthResults: MonthResult[]): void {
  const weights = monthResults.map((one) => BigInt(Math.max(0, one.gross!)))
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  const parts = weights.map((weight, index) => ({ index, floor: (BigInt(due) * weight) / total, rest: (BigInt(due) * weight) % total }))
  let remaining = BigInt(due) - parts.reduce((sum, part) => sum + part.floor, 0n)
  for (const part of parts) monthResults[part.index]!.ni = Number(part.floor)
  for (const part of [...parts].sort((x, y) => (x.rest === y.rest ? x.index - y.index : x.rest > y.rest ? -1 : 1)))
    if (remaining-- > 0n) monthResults[part.index]!.ni!++
}
