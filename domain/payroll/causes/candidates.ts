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

/** A possible cause of a difference, with the sentence that explains it. */
export interface CauseCandidate {
  cause: PayCause
  /** What it changes. Two candidates about the same thing exclude each other. */
  about: string
  says: string
  change: PayChange
  /** Applies the change to an employee, to whom another candidate may have been applied already. */
  apply: (base: CostingCase) => CostingCase
  /** The change when it is applied after another candidate; absent if it is the same. */
  changeAfter?: (base: CostingCase) => PayChange
  /** Amounts paid in addition to the calculated rows, in whole pennies. */
  added?: ReadonlyMap<string, number>
  /** Only if FTE or hours are worked back from the pay. `odd` is a value that people rarely agree on. */
  workedBack?: 'usual' | 'odd'
}

export interface EmployeeComparison {
  ground: WhatIfBaseline
  base: CostingCase
  calculated: ReadonlyMap<string, number>
  /** Whole pennies by row. */
  actual: ReadonlyMap<string, Pennies>
  /** Amounts owed from months carried forward, by row. */
  arrears: ReadonlyMap<string, number>
  rowOf: RowKeyFinder
}

/** All candidates except those worked back from the pay, in the order of rules.md §18; within a cause the closest first. */
export function* listCandidates(paid: EmployeeComparison): Generator<CauseCandidate> {
  yield* awardCandidates(paid)
  for (const contract of paid.base.contracts) yield* incrementCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* pointCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* dateCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* allowanceCandidates(paid, contract)
  for (const contract of paid.base.contracts) yield* pensionCandidates(paid, contract)
  yield* niCategoryCandidates(paid)
  yield* arrearsCandidates(paid)
  yield* leaveCandidates(paid)
}

/** FTE and hours that would give the actual pay. */
export function* workBackHours(paid: EmployeeComparison): Generator<CauseCandidate> {
  for (const contract of paid.base.contracts) yield* hoursCandidates(paid, contract)
}

const applyToContracts =
  (change: PayChange): CauseCandidate['apply'] =>
  (base) => ({ ...base, contracts: base.contracts.map((contract) => applyPayChange(contract, change)) })

/**
 * A change of a salary row from the start of the month, or of the contract if it begins later. Scale points keep the increments reached by
 * then.
 */
function rowChange(
  { ground }: EmployeeComparison,
  { contract: { id }, contract, fields, from }: { contract: StaffContract; fields: (row: ContractRow) => SalaryRowChange; from?: IsoDate },
): Pick<CauseCandidate, 'change' | 'apply' | 'changeAfter'> {
  const changesOf = (one: StaffContract): PayChange[] => {
    const row = rowAt(ground, one)
    if (!row) return []
    // A new row without a scale point would lose earlier awards (rules.md §3), so the existing row is changed.
    const start = from ?? (row.scalePoint ? assertDefined([one.startDate, ground.firstDate].sort().at(-1)) : row.effectiveDate)
    const changed = fields(row)
    // Rows and increments within the month get the same fields, so that the change applies to the whole month.
    const within = changeDates(ground, one).filter((date) => date > start && date <= ground.month.lastDate)
    return [start, ...within].map((date) => {
      const point = changed.scalePoint ?? scalePositionOn(ground, one, date)?.now
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

function changeDates(ground: WhatIfBaseline, contract: StaffContract): IsoDate[] {
  const { contractType, maximumScalePoint, rows } = toContractInput(contract)
  const type = ground.prepared.types.get(contractType)
  return rows.flatMap((row) => [row.effectiveDate, ...(type ? prepareRow(type, maximumScalePoint, row).increments.map(toIsoDate) : [])])
}

/** The salary row in force on a date, by default at the end of the month. */
function rowAt(ground: WhatIfBaseline, contract: StaffContract, on: IsoDate = ground.month.lastDate): ContractRow | undefined {
  return contract.salary
    .filter((row) => row.effectiveDate <= on)
    .reduce<ContractRow | undefined>((best, row) => (best && best.effectiveDate > row.effectiveDate ? best : row), undefined)
}

/** Awards of the last twelve months, the newest first: in pay tables and in assumptions. */
function* awardCandidates(paid: EmployeeComparison): Generator<CauseCandidate> {
  const { ground, base } = paid
  const { prepared, month, labels } = ground
  const since = addMonths(month.first, -12)
  const awards = new Map<Day, string>()
  for (const contract of base.contracts) {
    const type = prepared.types.get(String(contract.contractTypeId))
    for (const { from, text } of type?.inflation ?? [])
      awards.set(from, `Paid without the award of ${Number(text)}% that the budget has from ${formatDay(from, month)}`)
    const point = rowAt(paid.ground, contract)?.scalePoint
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
      apply: (one) => ({ ...one, prepared: ground.withoutAward(from) }),
    }
}

interface ScalePosition {
  /** At the start of the row. */
  point: ScalePoint
  /** After increments. */
  now: ScalePoint
  increment: number
  /** When it reached that increment. */
  from: Day
  next: Day | undefined
  table: PreparedPayTable
}

/** The position of a contract on its scale on a date, by default at the end of the month. */
function scalePositionOn(ground: WhatIfBaseline, contract: StaffContract, on: IsoDate = ground.month.lastDate): ScalePosition | undefined {
  const { prepared, month } = ground
  const day = toDay(on)
  const salaryRow = rowAt(ground, contract, on)
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

/** An increment of the last year that was not given, or next year's one given early. */
function* incrementCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const at = scalePositionOn(paid.ground, contract)
  const currentName = at && pointName(at, at.increment)
  if (!at || currentName === undefined) return
  const { month } = paid.ground
  const point = (increment: number): ScalePoint => ({ kind: at.point.kind, scale: at.point.scale, increment })
  const below = pointName(at, at.increment - 1)
  const isStep = at.increment > at.point.increment || isStepUp(contract, at)
  if (below !== undefined && isStep && at.from > addMonths(month.first, -12))
    yield {
      cause: 'increment',
      about: `point ${contract.id}`,
      says: `Paid on ${below}; the budget has ${currentName} from ${formatDay(at.from, month)}: increment not given`,
      ...rowChange(paid, { contract, fields: () => ({ scalePoint: point(at.increment - 1) }), from: toIsoDate(at.from) }),
    }
  const above = pointName(at, at.increment + 1)
  if (above !== undefined && at.next !== undefined && at.next <= addMonths(month.first, 12))
    yield {
      cause: 'increment',
      about: `point ${contract.id}`,
      says: `Paid on ${above}; the budget has it from ${formatDay(at.next, month)}: increment given early`,
      ...rowChange(paid, { contract, fields: () => ({ scalePoint: point(at.increment + 1) }) }),
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

/** All other points of the scale, the closest first. */
function* pointCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const at = scalePositionOn(paid.ground, contract)
  if (!at) return
  const currentName = pointName(at, at.increment)
  const others = [...(at.table.points.get(at.point.scale)?.keys() ?? [])].filter((increment) => increment !== at.increment)
  others.sort((a, b) => Math.abs(a - at.increment) - Math.abs(b - at.increment) || a - b)
  for (const increment of others)
    yield {
      cause: 'point',
      about: `point ${contract.id}`,
      says: `Paid on ${pointName(at, increment)}; the budget has ${currentName ?? `increment ${at.increment}`}: a different point of the scale`,
      ...rowChange(paid, { contract, fields: () => ({ scalePoint: { kind: at.point.kind, scale: at.point.scale, increment } }) }),
    }
}

/** FTE or hours that match the actual pay, which is nearly proportional to them. */
function* hoursCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const { ground, base, actual, calculated, rowOf } = paid
  const row = rowAt(paid.ground, contract)
  const type = ground.prepared.types.get(String(contract.contractTypeId))
  if (!row || !type) return
  const byFte = type.calculationType === calculationType.fte
  const now = byFte ? (row.fte ?? 1) : row.hoursPerWeek
  if (now === null || now <= 0) return
  const fields = (value: number) => (): SalaryRowChange => (byFte ? { fte: value } : { hoursPerWeek: value })
  const rows = [...new Set(contract.serviceTerms.map((serviceTermId) => rowOf(contract, { serviceTermId, component: 'basic' })))]
  const sum = (figures: ReadonlyMap<string, number>): number => rows.reduce((total, key) => total + (figures.get(key) ?? 0), 0)
  const wanted = sum(actual) - sum(calculated)
  /** The value at which pay would match, if it were linear between the current value and this one. */
  const valueThatMeetsPay = (value: number): number | undefined => {
    const figures = calculatePayByRow(ground, rowChange(paid, { contract, fields: fields(value) }).apply(base), rowOf)
    const effect = figures && sum(figures) - sum(calculated)
    return effect ? inThousandths(now + (wanted * (value - now)) / effect) : undefined
  }
  // The second estimate starts close to the result, where rounding to pennies matters less.
  const near = valueThatMeetsPay(now / 2)
  const exact = near && (valueThatMeetsPay(near) ?? near)
  if (!exact) return
  const [most, steps] = byFte ? [2, 100] : [60, 12]
  const usual = inThousandths(Math.round(exact * steps) / steps)
  // *Choice*: three decimals can match almost any amount. Usual values are hours in steps of five minutes, and FTE in hundredths.
  for (const value of new Set(Math.abs(usual - exact) <= 0.002 ? [usual, exact] : [exact]))
    if (value > 0 && value <= most && value !== now)
      yield {
        cause: 'hours',
        about: `hours ${contract.id}`,
        workedBack: value === usual ? 'usual' : 'odd',
        says: byFte
          ? `Paid for ${formatFraction(value)} FTE; the budget has ${formatFraction(now)}: different FTE`
          : `Paid for ${formatFraction(value)} hours a week; the budget has ${formatFraction(now)}: different hours`,
        ...rowChange(paid, { contract, fields: fields(value) }),
      }
}

const inThousandths = (value: number): number => Math.round(value * 1000) / 1000

/** Other start dates for a contract that begins around the month, and other leaving dates. */
function* dateCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const { month, firstDate } = paid.ground
  const { first, last, lastDate } = month
  const { startDate, endDate } = contract
  const days = Array.from({ length: last - first + 1 }, (_unused, index) => first + index)
  const near = (day: Day): Day[] => days.toSorted((a, b) => Math.abs(a - day) - Math.abs(b - day) || a - b)
  const begins = toDay(startDate)
  const candidate = (start: IsoDate, end: IsoDate | null, says: string): CauseCandidate => {
    const change: PayChange = { kind: 'dates', contractId: contract.id, startDate: start, endDate: end }
    return { cause: 'dates', about: `dates ${contract.id}`, says, change, apply: applyToContracts(change) }
  }
  const budgetStart = `the budget has a start on ${formatDay(begins, month)}`
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
  const end = ends === undefined ? 'the budget has no end' : `the budget has an end on ${formatDay(ends, month)}`
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

/** Each allowance of the contract as unpaid, and each other allowance as paid. */
function* allowanceCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const row = rowAt(paid.ground, contract)
  if (!row) return
  const { labels, prepared } = paid.ground
  const name = (id: number): string => labels[`allowance:${id}`] ?? 'an allowance'
  for (const id of row.allowances)
    yield {
      cause: 'allowance',
      about: `allowance ${id} ${contract.id}`,
      says: `Paid without ${name(id)}, which the budget has: missing allowance`,
      ...rowChange(paid, { contract, fields: (one) => ({ allowances: one.allowances.filter((own) => own !== id) }) }),
    }
  for (const id of [...prepared.allowances.keys()].map(Number))
    if (!row.allowances.includes(id))
      yield {
        cause: 'allowance',
        about: `allowance ${id} ${contract.id}`,
        says: `Paid with ${name(id)}, which the budget does not have: extra allowance`,
        ...rowChange(paid, { contract, fields: (one) => ({ allowances: [...one.allowances, id] }) }),
      }
}

function* pensionCandidates(paid: EmployeeComparison, contract: StaffContract): Generator<CauseCandidate> {
  const row = rowAt(paid.ground, contract)
  if (!row) return
  yield {
    cause: 'pension',
    about: `pension ${contract.id}`,
    says: row.erPension
      ? 'Paid without employer pension, which the budget has: out of the pension'
      : 'Paid with employer pension, which the budget does not have: in the pension',
    ...rowChange(paid, { contract, fields: () => ({ erPension: !row.erPension }) }),
  }
}

/** Other ages, and each contract as an apprenticeship or not. */
function* niCategoryCandidates(paid: EmployeeComparison): Generator<CauseCandidate> {
  const { ground, base } = paid
  for (const contract of base.contracts) {
    const change: PayChange = { kind: 'apprentice', contractId: contract.id, apprentice: !contract.apprentice }
    yield {
      cause: 'niCategory',
      about: 'niCategory',
      says: contract.apprentice
        ? 'NI paid at the rate for other staff; the budget has an apprentice: different NI category'
        : 'NI paid at the rate for apprentices; the budget has no apprentice: different NI category',
      change,
      apply: applyToContracts(change),
    }
  }
  const limits = listAgeLimits(ground.prepared.inputs.tables.nationalInsurance)
  for (let place = 0; place <= limits.length; place++) {
    const [from, to] = [limits[place - 1], limits[place]]
    const words = from === undefined ? `under ${to}` : to === undefined ? `${from} or over` : `${from} to ${to - 1}`
    const ages: AgesReached = Object.fromEntries(limits.map((limit, index) => [limit, index < place ? 'always' : 'never']))
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
    says: 'Paid with arrears for months carried forward',
    change: { kind: 'arrears' },
    apply: (base) => base,
    added: owed,
  }
}

/** People on leave rarely earn more than at work, so leave is not considered above this multiple of the calculated pay. */
const maximumRaise = 1.25

/** Leave that payroll does not know of, or leave within the last twelve months that the budget does not know of. */
function* leaveCandidates({ ground, base, actual, calculated }: EmployeeComparison): Generator<CauseCandidate> {
  const { month, firstDate } = ground
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
      `Paid as if at work; the budget has ${leave.type || 'leave'} from ${formatDay(toDay(leave.startDate), month)}: leave not known to payroll`,
    )
  const sum = (figures: ReadonlyMap<string, number>): number => [...figures.values()].reduce((total, pennies) => total + pennies, 0)
  if (current.length || sum(actual) > sum(calculated) * maximumRaise) return
  for (const { says, ...leave } of possibleLeaves(ground)) yield candidate([...budgetLeaves, leave], says)
}

type PossibleLeave = AppliedLeave & { says: string }

/**
 * Leaves that may have begun in the month or the twelve months before, the latest first. Leaves that begin in the same earlier month and
 * pay the same on each day are merged, because pay cannot distinguish them. They are the same for every employee, so they are cached for
 * each baseline.
 */
function possibleLeaves(ground: WhatIfBaseline): PossibleLeave[] {
  const known = possibleLeavesCache.get(ground)
  if (known) return known
  const { prepared, month, leaveSets } = ground
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
      const says = `Paid as if on ${name} from ${formatDay(day, month)}; the budget has no leave: leave not known to the budget`
      byKey.set(key, { ruleset, type, startDate: toIsoDate(day), endDate: toIsoDate(addMonths(day, 12)), says })
    }
  }
  const leaves = [...byKey.values()].sort((a, b) => (a.startDate < b.startDate ? 1 : a.startDate > b.startDate ? -1 : 0))
  possibleLeavesCache.set(ground, leaves)
  return leaves
}

const possibleLeavesCache = new WeakMap<WhatIfBaseline, PossibleLeave[]>()
