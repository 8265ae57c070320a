import type { ContractRow, StaffContract } from '../../budget/budget.ts'
import type { AgesReached, AppliedLeave, ScalePoint } from '../../calculation/inputs.ts'
import { ageLimits } from '../../calculation/staffing/ages.ts'
import { contractInput } from '../../calculation/staffing/frozen.ts'
import type { PreparedPayTable } from '../../calculation/staffing/prepared.ts'
import { incrementOn, prepareRow } from '../../calculation/staffing/salary.ts'
import { calculationType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { addMonths, type Day, effectiveRow, type IsoDate, toDay, toIsoDate } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import { type PayCause, type PayChange, type RowChange, withChange } from './causes.ts'
import { type Costed, type Ground, payByRow, type RowOf } from './ground.ts'
import { dayWords, fractionWords } from './words.ts'

/** One thing that might be otherwise, and what is said of it if it is. */
export interface Candidate {
  cause: PayCause
  /** What it changes: two candidates about the same thing cannot both hold. */
  about: string
  /** The sentence without its figure. */
  says: string
  change: PayChange
  /** Makes the change to an employee, who may have been changed by another candidate already. */
  apply: (base: Costed) => Costed
  /** The change as it is after another candidate; left out: the same. */
  changeAfter?: (base: Costed) => PayChange
  /** What is paid beside the calculated rows, in whole pennies. */
  added?: ReadonlyMap<string, number>
  /** Only for FTE and hours worked back from the pay. `odd`: not a value that people usually agree on. */
  workedBack?: 'usual' | 'odd'
}

/** An employee as the budget has it, with what was paid. */
export interface Paid {
  ground: Ground
  base: Costed
  calculated: ReadonlyMap<string, number>
  /** Whole pennies by row. */
  actual: ReadonlyMap<string, Pennies>
  /** What the months carried forward left owing, by row. */
  arrears: ReadonlyMap<string, number>
  rowOf: RowOf
}

/** Every candidate that is not worked back from the pay, in the order of the law; within a cause the nearest first. */
export function* candidates(paid: Paid): Generator<Candidate> {
  yield* withoutAwards(paid)
  for (const contract of paid.base.contracts) yield* increments(paid, contract)
  for (const contract of paid.base.contracts) yield* points(paid, contract)
  for (const contract of paid.base.contracts) yield* dates(paid, contract)
  for (const contract of paid.base.contracts) yield* allowances(paid, contract)
  for (const contract of paid.base.contracts) yield* pension(paid, contract)
  yield* niCategories(paid)
  yield* arrears(paid)
  yield* leaves(paid)
}

/** The FTE and hours for which what was paid would be the pay. */
export function* workedBack(paid: Paid): Generator<Candidate> {
  for (const contract of paid.base.contracts) yield* hours(paid, contract)
}

const applyToContracts =
  (change: PayChange): Candidate['apply'] =>
  (base) => ({ ...base, contracts: base.contracts.map((contract) => withChange(contract, change)) })

/** A row change that begins with the month, or with the contract in it; a point stays what it has come to by then. */
function rowChange(
  { ground }: Paid,
  { contract: { id }, contract, fields, from }: { contract: StaffContract; fields: (row: ContractRow) => RowChange; from?: IsoDate },
): Pick<Candidate, 'change' | 'apply' | 'changeAfter'> {
  const changesOf = (one: StaffContract): PayChange[] => {
    const row = rowAt(ground, one)
    if (!row) return []
    // A new row without a scale point would lose the awards before it (rules.md §3), so the row itself is changed.
    const start = from ?? (row.scalePoint ? assertDefined([one.startDate, ground.firstDate].sort().at(-1)) : row.effectiveDate)
    const changed = fields(row)
    // Rows and increments within the month get the same fields, so that all of the month is as paid.
    const within = changeDates(ground, one).filter((date) => date > start && date <= ground.month.lastDate)
    return [start, ...within].map((date) => {
      const point = changed.scalePoint ?? pointAt(ground, one, date)?.now
      return { kind: 'row', contractId: id, from: date, fields: { ...changed, ...(point && { scalePoint: point }) } }
    })
  }
  return {
    change: assertDefined(changesOf(contract)[0]),
    changeAfter: (base) => assertDefined(changesOf(assertDefined(base.contracts.find((one) => one.id === id)))[0]),
    apply: (base) => ({
      ...base,
      contracts: base.contracts.map((one) => (one.id === id ? changesOf(one).reduce(withChange, one) : one)),
    }),
  }
}

/** The dates on which the salary rows of a contract begin and its points go up. */
function changeDates(ground: Ground, contract: StaffContract): IsoDate[] {
  const { contractType, maximumScalePoint, rows } = contractInput(contract)
  const type = ground.prepared.types.get(contractType)
  return rows.flatMap((row) => [row.effectiveDate, ...(type ? prepareRow(type, maximumScalePoint, row).increments.map(toIsoDate) : [])])
}

/** The salary row that is in force on a date, or that the month ends with. */
function rowAt(ground: Ground, contract: StaffContract, on: IsoDate = ground.month.lastDate): ContractRow | undefined {
  return contract.salary
    .filter((row) => row.effectiveDate <= on)
    .reduce<ContractRow | undefined>((best, row) => (best && best.effectiveDate > row.effectiveDate ? best : row), undefined)
}

/** Awards of the year before, the newest first: of pay tables, of assumptions and of allowances. */
function* withoutAwards(paid: Paid): Generator<Candidate> {
  const { ground, base } = paid
  const { prepared, month, labels } = ground
  const since = addMonths(month.first, -12)
  const awards = new Map<Day, string>()
  for (const contract of base.contracts) {
    const type = prepared.types.get(String(contract.contractTypeId))
    for (const { from, text } of type?.inflation ?? [])
      awards.set(from, `Paid without the award of ${Number(text)}% that the budget has from ${dayWords(from, month)}`)
    const point = rowAt(paid.ground, contract)?.scalePoint
    if (!point) continue
    const tables = prepared.payTables[point.kind].toSorted((a, b) => a.from - b.from)
    for (const [index, table] of tables.entries()) {
      const before = tables[index - 1]
      if (!before) continue
      const name = (one: PreparedPayTable): string => labels[`table:${one.name}`] ?? one.name
      awards.set(table.from, `Paid on ${name(before)}; the budget has ${name(table)} from ${dayWords(table.from, month)}`)
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

interface PointAt {
  /** Where its row began. */
  point: ScalePoint
  /** Where it has come to. */
  now: ScalePoint
  increment: number
  /** The day it came to that. */
  from: Day
  /** The day it goes up next. */
  next: Day | undefined
  table: PreparedPayTable
}

/** Where on its scale a contract stands on a date, or at the end of the month. */
function pointAt(ground: Ground, contract: StaffContract, on: IsoDate = ground.month.lastDate): PointAt | undefined {
  const { prepared, month } = ground
  const day = toDay(on)
  const kept = rowAt(ground, contract, on)
  if (!kept?.scalePoint) return undefined
  const input = contractInput(contract)
  const row = assertDefined(input.rows.find((one) => one.effectiveDate === kept.effectiveDate))
  const type = prepared.types.get(input.contractType)
  const table = effectiveRow(prepared.payTables[kept.scalePoint.kind], month.last)
  if (!type || !table) return undefined
  const salary = prepareRow(type, input.maximumScalePoint, row)
  const past = salary.increments.filter((up) => up <= day)
  const increment = incrementOn(salary, assertDefined(row.scalePoint), day)
  return {
    point: assertDefined(row.scalePoint),
    now: { ...assertDefined(row.scalePoint), increment },
    increment,
    from: past.at(-1) ?? salary.from,
    next: salary.increments.find((up) => up > day),
    table,
  }
}

function nameOf({ table, point }: PointAt, increment: number): string | undefined {
  return table.points.get(point.scale)?.get(increment)?.point.point
}

/** The increment of the last year not given, or the one of the next year given already. */
function* increments(paid: Paid, contract: StaffContract): Generator<Candidate> {
  const at = pointAt(paid.ground, contract)
  const own = at && nameOf(at, at.increment)
  if (!at || own === undefined) return
  const { month } = paid.ground
  const point = (increment: number): ScalePoint => ({ kind: at.point.kind, scale: at.point.scale, increment })
  const below = nameOf(at, at.increment - 1)
  const isStep = at.increment > at.point.increment || isStepUp(contract, at)
  if (below !== undefined && isStep && at.from > addMonths(month.first, -12))
    yield {
      cause: 'increment',
      about: `point ${contract.id}`,
      says: `Paid on ${below}; the budget has ${own} from ${dayWords(at.from, month)}: increment not given`,
      ...rowChange(paid, { contract, fields: () => ({ scalePoint: point(at.increment - 1) }), from: toIsoDate(at.from) }),
    }
  const above = nameOf(at, at.increment + 1)
  if (above !== undefined && at.next !== undefined && at.next <= addMonths(month.first, 12))
    yield {
      cause: 'increment',
      about: `point ${contract.id}`,
      says: `Paid on ${above}; the budget has it from ${dayWords(at.next, month)}: increment given early`,
      ...rowChange(paid, { contract, fields: () => ({ scalePoint: point(at.increment + 1) }) }),
    }
}

/** Whether the row that the point is of went up by one from the row before, which is how an increment is typed. */
function isStepUp({ salary }: StaffContract, { point, from }: PointAt): boolean {
  const before = salary
    .filter((row) => row.effectiveDate < toIsoDate(from))
    .sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
    .at(-1)
  return before?.scalePoint?.scale === point.scale && before.scalePoint.increment === point.increment - 1
}

/** Every other point of the same scale, the nearest first. */
function* points(paid: Paid, contract: StaffContract): Generator<Candidate> {
  const at = pointAt(paid.ground, contract)
  if (!at) return
  const own = nameOf(at, at.increment)
  const others = [...(at.table.points.get(at.point.scale)?.keys() ?? [])].filter((increment) => increment !== at.increment)
  others.sort((a, b) => Math.abs(a - at.increment) - Math.abs(b - at.increment) || a - b)
  for (const increment of others)
    yield {
      cause: 'point',
      about: `point ${contract.id}`,
      says: `Paid on ${nameOf(at, increment)}; the budget has ${own ?? `increment ${at.increment}`}: another point of the scale`,
      ...rowChange(paid, { contract, fields: () => ({ scalePoint: { kind: at.point.kind, scale: at.point.scale, increment } }) }),
    }
}

/** The FTE or hours that the pay was for, which pay follows nearly in a straight line. */
function* hours(paid: Paid, contract: StaffContract): Generator<Candidate> {
  const { ground, base, actual, calculated, rowOf } = paid
  const row = rowAt(paid.ground, contract)
  const type = ground.prepared.types.get(String(contract.contractTypeId))
  if (!row || !type) return
  const byFte = type.calculationType === calculationType.fte
  const now = byFte ? (row.fte ?? 1) : row.hoursPerWeek
  if (now === null || now <= 0) return
  const fields = (value: number) => (): RowChange => (byFte ? { fte: value } : { hoursPerWeek: value })
  const rows = [...new Set(contract.serviceTerms.map((serviceTermId) => rowOf(contract, { serviceTermId, component: 'basic' })))]
  const sum = (figures: ReadonlyMap<string, number>): number => rows.reduce((total, key) => total + (figures.get(key) ?? 0), 0)
  const wanted = sum(actual) - sum(calculated)
  /** Where the pay would be met if it followed a straight line through what another value comes to. */
  const meeting = (value: number): number | undefined => {
    const figures = payByRow(ground, rowChange(paid, { contract, fields: fields(value) }).apply(base), rowOf)
    const effect = figures && sum(figures) - sum(calculated)
    return effect ? inThousandths(now + (wanted * (value - now)) / effect) : undefined
  }
  // The second line is drawn from near the value, where whole pennies matter less.
  const near = meeting(now / 2)
  const exact = near && (meeting(near) ?? near)
  if (!exact) return
  const [most, steps] = byFte ? [2, 100] : [60, 12]
  const usual = inThousandths(Math.round(exact * steps) / steps)
  // *Choice*: three decimals meet almost any proportion. Usual are hours in steps of five minutes, and FTE in hundredths.
  for (const value of new Set(Math.abs(usual - exact) <= 0.002 ? [usual, exact] : [exact]))
    if (value > 0 && value <= most && value !== now)
      yield {
        cause: 'hours',
        about: `hours ${contract.id}`,
        workedBack: value === usual ? 'usual' : 'odd',
        says: byFte
          ? `Paid for ${fractionWords(value)} FTE; the budget has ${fractionWords(now)}: another FTE`
          : `Paid for ${fractionWords(value)} hours a week; the budget has ${fractionWords(now)}: other hours`,
        ...rowChange(paid, { contract, fields: fields(value) }),
      }
}

const inThousandths = (value: number): number => Math.round(value * 1000) / 1000

/** Began on another day, if it begins about then; or left on another day. */
function* dates(paid: Paid, contract: StaffContract): Generator<Candidate> {
  const { month, firstDate } = paid.ground
  const { first, last, lastDate } = month
  const { startDate, endDate } = contract
  const days = Array.from({ length: last - first + 1 }, (_unused, index) => first + index)
  const near = (day: Day): Day[] => days.toSorted((a, b) => Math.abs(a - day) - Math.abs(b - day) || a - b)
  const begins = toDay(startDate)
  const candidate = (start: IsoDate, end: IsoDate | null, says: string): Candidate => {
    const change: PayChange = { kind: 'dates', contractId: contract.id, startDate: start, endDate: end }
    return { cause: 'dates', about: `dates ${contract.id}`, says, change, apply: applyToContracts(change) }
  }
  const had = `the budget has a start on ${dayWords(begins, month)}`
  if (startDate >= firstDate && begins <= addMonths(last, 1)) {
    for (const day of near(begins)) {
      const date = toIsoDate(day)
      if (date === startDate || (endDate !== null && date > endDate)) continue
      yield candidate(date, endDate, `Paid from ${dayWords(day, month)}; ${had}: started on another day`)
    }
    const next = toIsoDate(last + 1)
    if (startDate <= lastDate && (endDate === null || endDate >= next))
      yield candidate(next, endDate, `Not paid; ${had}: not started in payroll`)
  }
  const ends = endDate === null ? undefined : toDay(endDate)
  if (ends !== undefined && ends < addMonths(first, -1)) return
  const end = ends === undefined ? 'the budget has no end' : `the budget has an end on ${dayWords(ends, month)}`
  if (ends !== undefined && ends < last) yield candidate(startDate, null, `Paid for the whole month; ${end}: left on another day`)
  for (const day of near(ends ?? last)) {
    const date = toIsoDate(day)
    if (date === endDate || date < startDate || (endDate === null && day === last)) continue
    yield candidate(startDate, date, `Paid to ${dayWords(day, month)}; ${end}: left on another day`)
  }
  const before = toIsoDate(first - 1)
  if (startDate <= before && (ends === undefined || ends >= first))
    yield candidate(startDate, before, `Not paid; ${end}: left before the month`)
}

/** An allowance of the contract that was not paid, or one of the product that was. */
function* allowances(paid: Paid, contract: StaffContract): Generator<Candidate> {
  const row = rowAt(paid.ground, contract)
  if (!row) return
  const { labels, prepared } = paid.ground
  const name = (id: number): string => labels[`allowance:${id}`] ?? 'an allowance'
  for (const id of row.allowances)
    yield {
      cause: 'allowance',
      about: `allowance ${id} ${contract.id}`,
      says: `Paid without ${name(id)}, which the budget has: allowance missing`,
      ...rowChange(paid, { contract, fields: (one) => ({ allowances: one.allowances.filter((own) => own !== id) }) }),
    }
  for (const id of [...prepared.allowances.keys()].map(Number))
    if (!row.allowances.includes(id))
      yield {
        cause: 'allowance',
        about: `allowance ${id} ${contract.id}`,
        says: `Paid with ${name(id)}, which the budget does not have: allowance extra`,
        ...rowChange(paid, { contract, fields: (one) => ({ allowances: [...one.allowances, id] }) }),
      }
}

function* pension(paid: Paid, contract: StaffContract): Generator<Candidate> {
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

/** Another age, and each contract as an apprentice's or not. */
function* niCategories(paid: Paid): Generator<Candidate> {
  const { ground, base } = paid
  for (const contract of base.contracts) {
    const change: PayChange = { kind: 'apprentice', contractId: contract.id, apprentice: !contract.apprentice }
    yield {
      cause: 'niCategory',
      about: 'niCategory',
      says: contract.apprentice
        ? 'NI paid as for other staff; the budget has an apprentice: another NI category'
        : 'NI paid as for an apprentice, whom the budget does not have: another NI category',
      change,
      apply: applyToContracts(change),
    }
  }
  const limits = ageLimits(ground.prepared.inputs.tables.nationalInsurance)
  for (let place = 0; place <= limits.length; place++) {
    const [from, to] = [limits[place - 1], limits[place]]
    const words = from === undefined ? `under ${to}` : to === undefined ? `${from} or over` : `${from} to ${to - 1}`
    const ages: AgesReached = Object.fromEntries(limits.map((limit, index) => [limit, index < place ? 'always' : 'never']))
    yield {
      cause: 'niCategory',
      about: 'niCategory',
      says: `NI paid as for somebody ${words}: another NI category, by age`,
      change: { kind: 'age' },
      apply: (one) => ({ ...one, person: { ...one.person, ages } }),
    }
  }
}

function* arrears({ arrears: owed }: Paid): Generator<Candidate> {
  if (![...owed.values()].some((pennies) => pennies !== 0)) return
  yield {
    cause: 'arrears',
    about: 'arrears',
    says: 'Paid with the arrears of the months carried forward',
    change: { kind: 'arrears' },
    apply: (base) => base,
    added: owed,
  }
}

/** Somebody on leave is paid no more than at work; where something else raises the pay too, by no more than this. */
const mostRaised = 1.25

/** Leave that payroll does not know of, or leave of up to twelve months back that the budget does not know of. */
function* leaves({ ground, base, actual, calculated }: Paid): Generator<Candidate> {
  const { month, firstDate } = ground
  const own = base.person.leaves
  const candidate = (left: AppliedLeave[], says: string): Candidate => ({
    cause: 'leave',
    about: 'leave',
    says,
    change: { kind: 'leave', leaves: left },
    apply: (one) => ({ ...one, person: { ...one.person, leaves: left } }),
  })
  const standing = own.filter((leave) => leave.startDate <= month.lastDate && leave.endDate >= firstDate)
  for (const leave of standing)
    yield candidate(
      own.filter((one) => one !== leave),
      `Paid as if at work; the budget has ${leave.type || 'leave'} from ${dayWords(toDay(leave.startDate), month)}: leave not known to payroll`,
    )
  const sum = (figures: ReadonlyMap<string, number>): number => [...figures.values()].reduce((total, pennies) => total + pennies, 0)
  if (standing.length || sum(actual) > sum(calculated) * mostRaised) return
  for (const { says, ...leave } of possibleLeaves(ground)) yield candidate([...own, leave], says)
}

type PossibleLeave = AppliedLeave & { says: string }

/**
 * The leaves that may have begun in the month or the twelve before, the latest first. Leaves that begin in the same earlier month and pay the same
 * on each day of the month are one: the pay does not tell them apart. They are the same for everybody, so they are made once for each month.
 */
function possibleLeaves(ground: Ground): PossibleLeave[] {
  const known = leavesKnown.get(ground)
  if (known) return known
  const { prepared, month, leaveSets } = ground
  const made = new Map<string, PossibleLeave>()
  for (const { ruleset, type, name } of leaveSets) {
    const rules = prepared.leaveRules.get(ruleset) ?? []
    for (let day = month.last; day >= addMonths(month.first, -12); day--) {
      const paid = rules.flatMap(({ periodName: _name, firstWeek, lastWeek, ...rule }) => {
        const [from, to] = [Math.max(day + (firstWeek - 1) * 7, month.first), Math.min(day + lastWeek * 7 - 1, month.last)]
        return from <= to ? [{ from, to, ...rule, type: Number(rule.extendedLeaveRatePercentage) ? type : '' }] : []
      })
      const began = day >= month.first ? toIsoDate(day) : toIsoDate(day).slice(0, 7)
      const key = JSON.stringify([began, paid])
      if (made.has(key)) continue
      const says = `Paid as on ${name} from ${dayWords(day, month)}; the budget has no leave: leave not known to the budget`
      made.set(key, { ruleset, type, startDate: toIsoDate(day), endDate: toIsoDate(addMonths(day, 12)), says })
    }
  }
  const leaves = [...made.values()].sort((a, b) => (a.startDate < b.startDate ? 1 : a.startDate > b.startDate ? -1 : 0))
  leavesKnown.set(ground, leaves)
  return leaves
}

const leavesKnown = new WeakMap<Ground, PossibleLeave[]>()
