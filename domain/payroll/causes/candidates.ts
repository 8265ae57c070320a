import type { ContractRow, StaffContract } from '../../budget/budget.ts'
import type { AgesReached, AppliedLeave, ScalePoint } from '../../calculation/inputs.ts'
import { listAgeLimits } from '../../calculation/staffing/ages.ts'
import { toContractInput } from '../../calculation/staffing/frozen.ts'
import type { PreparedPayTable } from '../../calculation/staffing/prepared.ts'
import { findIncrement, prepareRow } from '../../calculation/staffing/salary.ts'
import { calculationType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { addMonths, type Day, findEffectiveRow, type IsoDate, toDay, toIsoDate } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import { applyPayChange, type PayCause, type PayChange, type SalaryRowChange } from './causes.ts'
import { formatDay, formatFraction } from './format.ts'
import { type CostingCase, calculatePayByRow, type RowKeyFinder, type WhatIfBaseline } from './whatIfBaseline.ts'

/** A possible cause of a difference in pay, with the sentence that explains it. */
export interface CauseCandidate {
  cause: PayCause
  /** What the change is about. Two candidates with the same text exclude each other. */
  about: string
  says: string
  change: PayChange
  /** Applies the change to an employee, who may already have the change of another candidate. */
  apply: (base: CostingCase) => CostingCase
  /** The change to use if another candidate was applied first; absent if it is the same. */
  changeAfter?: (base: CostingCase) => PayChange
  /** Whole pennies paid in addition to the calculated pay, by row. */
  added?: ReadonlyMap<string, number>
  /** Set if the FTE or hours were derived from the pay. `odd` is a value that contracts rarely have. */
  workedBack?: 'usual' | 'odd'
}

export interface EmployeeComparison {
  baseline: WhatIfBaseline
  base: CostingCase
  calculated: ReadonlyMap<string, number>
  /** Whole pennies by row. */
  actual: ReadonlyMap<string, Pennies>
  /** Amounts owed from months carried forward, by row. */
  arrears: ReadonlyMap<string, number>
  rowOf: RowKeyFinder
}

/**
 * Lists all candidates except FTE and hours derived from the pay, in the order of rules.md §18. Candidates for the same cause are listed
 * with the smallest change first.
 */
export function* listCandidates(paid: EmployeeComparison): Generator<CauseCandidate> {
  yield* listAwardCandidates(paid)
  for (const contract of paid.base.contracts) yield* listIncrementCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* listPointCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* listDateCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* listAllowanceCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* pensionCandidates(paid, contract)
  yield* listNiCategoryCandidates(paid)
  yield* arrearsCandidates(paid)
  yield* listLeaveCandidates(paid)
}

/** Lists FTE and hours that would give the actual pay. */
export function* deriveHoursFromPay(paid: EmployeeComparison): Generator<CauseCandidate> {
  for (const contract of paid.base.contracts) yield* listHoursCandidates(paid, contract)
}

const applyToContracts =
  (change: PayChange): CauseCandidate['apply'] =>
  (base) => ({ ...base, contracts: base.contracts.map((contract) => applyPayChange(contract, change)) })

/**
 * Builds a change of a salary row. It applies from the start of the month, or from the start of the contract if that is later. Scale points
 * keep the increments reached by that date.
 */
function buildRowChange(
  { baseline }: EmployeeComparison,
  { contract: { id }, contract, fields, from }: { contract: StaffContract; fields: (row: ContractRow) => SalaryRowChange; from?: IsoDate },
): Pick<CauseCandidate, 'change' | 'apply' | 'changeAfter'> {
  const changesOf = (one: StaffContract): PayChange[] => {
    const row = findRowInForce(baseline, one)
    if (!row) return []
    // A new row without a scale point would lose earlier awards (rules.md §3), so the existing row is changed instead.
    const start = from ?? (row.scalePoint ? assertDefined([one.startDate, baseline.firstDate].sort().at(-1)) : row.effectiveDate)
    const changed = fields(row)
    // Rows and increments that start later in the month get the changed values too, so that the change applies until the month ends.
    const within = changeDates(baseline, one).filter((date) => date > start && date <= baseline.month.lastDate)
    return [start, ...within].map((date) => {
      const point = changed.scalePoint ?? findScalePosition(baseline, one, date)?.now
      return { kind: 'row', contractId: id, from: date, fields: { ...changed, ...(point && { scalePoint: point }) } }
    })
  }
  return {
    change: assertDefined(changesOf(contract)[0]),
    changeAfter: (base) => assertDefined(changesOf(assertDefined(base.contracts.find((one) => one.id === id)))[0]),
    apply: (base) => ({
      ...base,
      contracts: base.contracts.map((one) => (one.id === id ? changesOf(one).reduce(applyPayChange, one) : one)),
    }),
  }
}

function changeDates(baseline: WhatIfBaseline, contract: StaffContract): IsoDate[] {
  const { contractType, maximumScalePoint, rows } = toContractInput(contract)
  const type = baseline.prepared.types.get(contractType)
  return rows.flatMap((row) => [row.effectiveDate, ...(type ? prepareRow(type, maximumScalePoint, row).increments.map(toIsoDate) : [])])
}

/** The salary row in force on a date, by default at the end of the month. */
function findRowInForce(baseline: WhatIfBaseline, contract: StaffContract, on: IsoDate = baseline.month.lastDate): ContractRow | undefined {
  return contract.salary
    .filter((row) => row.effectiveDate <= on)
    .reduce<ContractRow | undefined>((best, row) => (best && best.effectiveDate > row.effectiveDate ? best : row), undefined)
}

/** Lists the awards of the last twelve months, in pay tables and in assumptions, newest first. */
function* listAwardCandidates(paid: EmployeeComparison): Generator<CauseCandidate> {
  const { baseline, base } = paid
  const { prepared, month, labels } = baseline
  const since = addMonths(month.first, -12)
  const awards = new Map<Day, string>()
  for (const contract of base.contracts) {
    const type = prepared.types.get(String(contract.contractTypeId))
    for (const { from, text } of type?.inflation ?? [])
      awards.set(from, `Paid without the award of ${Number(text)}% that the budget has from ${formatDay(from, month)}`)
    const point = findRowInForce(paid.baseline, contract)?.scalePoint
    if (!point) continue
    const tables = prepared.payTables[point.kind].toSorted((a, b) => a.from - b.from)
    for (const [index, table] of tables.entries()) {
      const before = tables[index - 1]
      if (!before) continue
      const name = (one: PreparedPayTable): string => labels[`table:${one.name}`] ?? one.name
      awards.set(table.from, `Paid on ${name(before)}; the budget has ${name(table)} from ${formatDay(table.from, month)}`)
    }
  }
  const within = [...awards].filter(([from]) => from > since && from <= month.last).sort(([a], [b]) => b - a)
  for (const [from, says] of within)
    yield {
      cause: 'award',
      about: 'award',
      says: `${says}: award not paid yet`,
      change: { kind: 'award', effectiveDate: toIsoDate(from) },
      apply: (one) => ({ ...one, prepared: baseline.withoutAward(from) }),
    }
}

interface ScalePosition {
  /** The point at the start of the row. */
  point: ScalePoint
  /** The point after increments. */
  now: ScalePoint
  increment: number
  /** The day on which the contract reached that increment. */
  from: Day
  next: Day | undefined
  table: PreparedPayTable
}

/** The position of a contract on its scale on a date, by default at the end of the month. */
function findScalePosition(
  baseline: WhatIfBaseline,
  contract: StaffContract,
  on: IsoDate = baseline.month.lastDate,
): ScalePosition | undefined {
  const { prepared, month } = baseline
  const day = toDay(on)
  const salaryRow = findRowInForce(baseline, contract, on)
  if (!salaryRow?.scalePoint) return undefined
  const input = toContractInput(contract)
  const row = assertDefined(input.rows.find((one) => one.effectiveDate === salaryRow.effectiveDate))
  const type = prepared.types.get(input.contractType)
  const table = findEffectiveRow(prepared.payTables[salaryRow.scalePoint.kind], month.last)
  if (!type || !table) return undefined
  const salary = prepareRow(type, input.maximumScalePoint, row)
  const past = salary.increments.filter((up) => up <= day)
  const increment = findIncrement(salary, assertDefined(row.scalePoint), day)
  return {
    point: assertDefined(row.scalePoint),
    now: { ...assertDefined(row.scalePoint), increment },
    increment,
    from: past.at(-1) ?? salary.from,
    next: salary.increments.find((up) => up > day),
    table,
  }
}

function pointName({ table, point }: ScalePosition, increment: number): string | undefined {
  return table.points.get(point.scale)?.get(increment)?.point.point
}

/** Lists increments of the last year as not given, and the next increment as given early. */
function* listIncrementCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const at = findScalePosition(paid.baseline, contract)
  const currentName = at && pointName(at, at.increment)
  if (!at || currentName === undefined) return
  const { month } = paid.baseline
  const point = (increment: number): ScalePoint => ({ kind: at.point.kind, scale: at.point.scale, increment })
  const below = pointName(at, at.increment - 1)
  const isStep = at.increment > at.point.increment || isStepUp(contract, at)
  if (below !== undefined && isStep && at.from > addMonths(month.first, -12))
    yield {
      cause: 'increment',
      about: `point ${contract.id}`,
      says: `Paid on ${below}; the budget has ${currentName} from ${formatDay(at.from, month)}: increment not given`,
      ...buildRowChange(paid, { contract, fields: () => ({ scalePoint: point(at.increment - 1) }), from: toIsoDate(at.from) }),
    }
  const above = pointName(at, at.increment + 1)
  if (above !== undefined && at.next !== undefined && at.next <= addMonths(month.first, 12))
    yield {
      cause: 'increment',
      about: `point ${contract.id}`,
      says: `Paid on ${above}; the budget has that point from ${formatDay(at.next, month)}: increment given early`,
      ...buildRowChange(paid, { contract, fields: () => ({ scalePoint: point(at.increment + 1) }) }),
    }
}

/** Whether the row is one increment above the row before, which is how users enter increments. */
function isStepUp({ salary }: StaffContract, { point, from }: ScalePosition): boolean {
  const before = salary
    .filter((row) => row.effectiveDate < toIsoDate(from))
    .sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
    .at(-1)
  return before?.scalePoint?.scale === point.scale && before.scalePoint.increment === point.increment - 1
}

/** Lists all other points of the scale, the closest first. */
function* listPointCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const at = findScalePosition(paid.baseline, contract)
  if (!at) return
  const currentName = pointName(at, at.increment)
  const others = [...(at.table.points.get(at.point.scale)?.keys() ?? [])].filter((increment) => increment !== at.increment)
  others.sort((a, b) => Math.abs(a - at.increment) - Math.abs(b - at.increment) || a - b)
  for (const increment of others)
    yield {
      cause: 'point',
      about: `point ${contract.id}`,
      says: `Paid on ${pointName(at, increment)}; the budget has ${currentName ?? `increment ${at.increment}`}: a different point of the scale`,
      ...buildRowChange(paid, { contract, fields: () => ({ scalePoint: { kind: at.point.kind, scale: at.point.scale, increment } }) }),
    }
}

/** Lists FTE or hours that match the actual pay, which is nearly proportional to them. */
function* listHoursCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const { baseline, base, actual, calculated, rowOf } = paid
  const row = findRowInForce(paid.baseline, contract)
  const type = baseline.prepared.types.get(String(contract.contractTypeId))
  if (!row || !type) return
  const byFte = type.calculationType === calculationType.fte
  const now = byFte ? (row.fte ?? 1) : row.hoursPerWeek
  if (now === null || now <= 0) return
  const fields = (value: number) => (): SalaryRowChange => (byFte ? { fte: value } : { hoursPerWeek: value })
  const rows = [...new Set(contract.serviceTerms.map((serviceTermId) => rowOf(contract, { serviceTermId, component: 'basic' })))]
  const sum = (figures: ReadonlyMap<string, number>): number => rows.reduce((total, key) => total + (figures.get(key) ?? 0), 0)
  const wanted = sum(actual) - sum(calculated)
  /** The value that would give the actual pay if pay were linear between the current value and `value`. */
  const estimateValueForPay = (value: number): number | undefined => {
    const figures = calculatePayByRow(baseline, buildRowChange(paid, { contract, fields: fields(value) }).apply(base), rowOf)
    const effect = figures && sum(figures) - sum(calculated)
    return effect ? inThousandths(now + (wanted * (value - now)) / effect) : undefined
  }
  // The second estimate starts near the result, where rounding to pennies matters less.
  const near = estimateValueForPay(now / 2)
  const exact = near && (estimateValueForPay(near) ?? near)
  if (!exact) return
  const [most, steps] = byFte ? [2, 100] : [60, 12]
  const usual = inThousandths(Math.round(exact * steps) / steps)
  // Our choice: a value with three decimals can match almost any amount, so a usual value close to it is offered first. Usual values are
  // hours in steps of five minutes, and FTE in hundredths.
  for (const value of new Set(Math.abs(usual - exact) <= 0.002 ? [usual, exact] : [exact]))
    if (value > 0 && value <= most && value !== now)
      yield {
        cause: 'hours',
        about: `hours ${contract.id}`,
        workedBack: value === usual ? 'usual' : 'odd',
        says: byFte
          ? `Paid for ${formatFraction(value)} FTE; the budget has ${formatFraction(now)}: different FTE`
          : `Paid for ${formatFraction(value)} hours a week; the budget has ${formatFraction(now)}: different hours`,
        ...buildRowChange(paid, { contract, fields: fields(value) }),
      }
}

const inThousandths = (value: number): number => Math.round(value * 1000) / 1000

/** Lists other start dates for a contract that begins around the month, and other leaving dates. */
function* listDateCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const { month, firstDate } = paid.baseline
  const { first, last, lastDate } = month
  const { startDate, endDate } = contract
  const days = Array.from({ length: last - first + 1 }, (_unused, index) => first + index)
  const near = (day: Day): Day[] => days.toSorted((a, b) => Math.abs(a - day) - Math.abs(b - day) || a - b)
  const begins = toDay(startDate)
  const candidate = (start: IsoDate, end: IsoDate | null, says: string): CauseCandidate => {
    const change: PayChange = { kind: 'dates', contractId: contract.id, startDate: start, endDate: end }
    return { cause: 'dates', about: `dates ${contract.id}`, says, change, apply: applyToContracts(change) }
  }
  const budgetStart = `the budget has the contract from ${formatDay(begins, month)}`
  if (startDate >= firstDate && begins <= addMonths(last, 1)) {
    for (const day of near(begins)) {
      const date = toIsoDate(day)
      if (date === startDate || (endDate !== null && date > endDate)) continue
      yield candidate(date, endDate, `Paid from ${formatDay(day, month)}; ${budgetStart}: started on a different day`)
    }
    const next = toIsoDate(last + 1)
    if (startDate <= lastDate && (endDate === null || endDate >= next))
      yield candidate(next, endDate, `Not paid; ${budgetStart}: not started in payroll`)
  }
  const ends = endDate === null ? undefined : toDay(endDate)
  if (ends !== undefined && ends < addMonths(first, -1)) return
  const end = ends === undefined ? 'the budget has no end date' : `the budget has the contract to ${formatDay(ends, month)}`
  if (ends !== undefined && ends < last) yield candidate(startDate, null, `Paid for the whole month; ${end}: left on a different day`)
  for (const day of near(ends ?? last)) {
    const date = toIsoDate(day)
    if (date === endDate || date < startDate || (endDate === null && day === last)) continue
    yield candidate(startDate, date, `Paid to ${formatDay(day, month)}; ${end}: left on a different day`)
  }
  const before = toIsoDate(first - 1)
  if (startDate <= before && (ends === undefined || ends >= first))
    yield candidate(startDate, before, `Not paid; ${end}: left before the month`)
}

/** Lists each allowance of the contract as unpaid, and each other allowance as paid. */
function* listAllowanceCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const row = findRowInForce(paid.baseline, contract)
  if (!row) return
  const { labels, prepared } = paid.baseline
  const name = (id: number): string => labels[`allowance:${id}`] ?? 'an allowance'
  for (const id of row.allowances)
    yield {
      cause: 'allowance',
      about: `allowance ${id} ${contract.id}`,
      says: `Paid without ${name(id)}, which the budget has: missing allowance`,
      ...buildRowChange(paid, { contract, fields: (one) => ({ allowances: one.allowances.filter((allowanceId) => allowanceId !== id) }) }),
    }
  for (const id of [...prepared.allowances.keys()].map(Number))
    if (!row.allowances.includes(id))
      yield {
        cause: 'allowance',
        about: `allowance ${id} ${contract.id}`,
        says: `Paid with ${name(id)}, which the budget does not have: extra allowance`,
        ...buildRowChange(paid, { contract, fields: (one) => ({ allowances: [...one.allowances, id] }) }),
      }
}

function* pensionCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const row = findRowInForce(paid.baseline, contract)
  if (!row) return
  yield {
    cause: 'pension',
    about: `pension ${contract.id}`,
    says: row.erPension
      ? 'Paid without employer pension, which the budget has: not in the pension scheme'
      : 'Paid with employer pension, which the budget does not have: in the pension scheme',
    ...buildRowChange(paid, { contract, fields: () => ({ erPension: !row.erPension }) }),
  }
}

/** Lists other ages, and each contract as an apprenticeship if it is not one, and the reverse. */
function* listNiCategoryCandidates(paid: EmployeeComparison): Generator<CauseCandidate> {
  const { baseline, base } = paid
  for (const contract of base.contracts) {
    const change: PayChange = { kind: 'apprentice', contractId: contract.id, apprentice: !contract.apprentice }
    yield {
      cause: 'niCategory',
      about: 'niCategory',
      says: contract.apprentice
        ? 'NI paid at the rate for other staff, but budgeted as an apprentice: different NI category'
        : 'NI paid at the rate for apprentices, but not budgeted as an apprentice: different NI category',
      change,
      apply: applyToContracts(change),
    }
  }
  const limits = listAgeLimits(baseline.prepared.inputs.tables.nationalInsurance)
  for (let position = 0; position <= limits.length; position++) {
    const [from, to] = [limits[position - 1], limits[position]]
    const words = from === undefined ? `under ${to}` : to === undefined ? `${from} or over` : `${from} to ${to - 1}`
    const ages: AgesReached = Object.fromEntries(limits.map((limit, index) => [limit, index < position ? 'always' : 'never']))
    yield {
      cause: 'niCategory',
      about: 'niCategory',
      says: `NI paid at the rate for someone ${words}: different NI category, by age`,
      change: { kind: 'age' },
      apply: (one) => ({ ...one, person: { ...one.person, ages } }),
    }
  }
}

function* arrearsCandidates({ arrears: owed }: EmployeeComparison): Generator<CauseCandidate> {
  if (![...owed.values()].some((pennies) => pennies !== 0)) return
  yield {
    cause: 'arrears',
    about: 'arrears',
    says: 'Includes arrears for months carried forward',
    change: { kind: 'arrears' },
    apply: (base) => base,
    added: owed,
  }
}

/**
 * Leave is considered only if actual pay is at most this multiple of calculated pay, because people on leave rarely earn more than at work.
 */
const maximumRaise = 1.25

/**
 * Lists leaves in the budget that payroll may not know of, and leaves within the last twelve months that may be missing from the budget.
 */
function* listLeaveCandidates({ baseline, base, actual, calculated }: EmployeeComparison): Generator<CauseCandidate> {
  const { month, firstDate } = baseline
  const budgetLeaves = base.person.leaves
  const candidate = (left: AppliedLeave[], says: string): CauseCandidate => ({
    cause: 'leave',
    about: 'leave',
    says,
    change: { kind: 'leave', leaves: left },
    apply: (one) => ({ ...one, person: { ...one.person, leaves: left } }),
  })
  const current = budgetLeaves.filter((leave) => leave.startDate <= month.lastDate && leave.endDate >= firstDate)
  for (const leave of current)
    yield candidate(
      budgetLeaves.filter((one) => one !== leave),
      `Paid as if at work; the budget has ${leave.type || 'leave'} from ${formatDay(toDay(leave.startDate), month)}: leave not in payroll`,
    )
  const sum = (figures: ReadonlyMap<string, number>): number => [...figures.values()].reduce((total, pennies) => total + pennies, 0)
  if (current.length || sum(actual) > sum(calculated) * maximumRaise) return
  for (const { says, ...leave } of listPossibleLeaves(baseline)) yield candidate([...budgetLeaves, leave], says)
}

type PossibleLeave = AppliedLeave & { says: string }

/**
 * Lists leaves that may have begun in the month or the twelve months before, the latest first. Leaves that begin in the same earlier month
 * and pay the same on each day are merged, because pay cannot distinguish them. The list is the same for every employee, so it is cached
 * for each baseline.
 */
function listPossibleLeaves(baseline: WhatIfBaseline): PossibleLeave[] {
  const known = possibleLeavesCache.get(baseline)
  if (known) return known
  const { prepared, month, leaveSets } = baseline
  const byKey = new Map<string, PossibleLeave>()
  for (const { ruleset, type, name } of leaveSets) {
    const rules = prepared.leaveRules.get(ruleset) ?? []
    for (let day = month.last; day >= addMonths(month.first, -12); day--) {
      const paid = rules.flatMap(({ periodName: _name, firstWeek, lastWeek, ...rule }) => {
        const [from, to] = [Math.max(day + (firstWeek - 1) * 7, month.first), Math.min(day + lastWeek * 7 - 1, month.last)]
        return from <= to ? [{ from, to, ...rule, type: Number(rule.extendedLeaveRatePercentage) ? type : '' }] : []
      })
      const began = day >= month.first ? toIsoDate(day) : toIsoDate(day).slice(0, 7)
      const key = JSON.stringify([began, paid])
      if (byKey.has(key)) continue
      const says = `Paid as if on ${name} from ${formatDay(day, month)}; the budget has no leave: leave not in the budget`
      byKey.set(key, { ruleset, type, startDate: toIsoDate(day), endDate: toIsoDate(addMonths(day, 12)), says })
    }
  }
  const leaves = [...byKey.values()].sort((a, b) => (a.startDate < b.startDate ? 1 : a.startDate > b.startDate ? -1 : 0))
  possibleLeavesCache.set(baseline, leaves)
  return leaves
}

const possibleLeavesCache = new WeakMap<WhatIfBaseline, PossibleLeave[]>()
