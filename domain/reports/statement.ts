import { balanceOf, type Side, sideOf } from '../calculation/nonStaffing/balances.ts'
import { compareValues } from '../lists/lists.ts'
import { openingBalanceType } from '../lookups/lookupIds.ts'
import { lookups } from '../lookups/lookups.ts'
import { assertDefined, elementAt } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import { type Cell, type ColumnPlan, negated, noCell, planOf, type Sums, shownCell } from './columns.ts'
import type { Carried, LineSum, ReportCode, ReportFacts, ReportUnit } from './facts.ts'
import { codesIn, type Place, placeText, type Report, type ReportRow, type ReportRowKind } from './report.ts'

/** The side of a line; what locations pay each other is on none where several are told together. */
type LineSide = Exclude<Side, 'balance'> | 'transfer'

/** What the rows of a report of money are made with. */
export interface Ledger {
  facts: ReportFacts
  plan: ColumnPlan
  /** Lines but for those that are carried between years, by side. */
  sides: Record<LineSide, LineSum[]>
}

export function ledgerOf(facts: ReportFacts): Ledger {
  const sides: Ledger['sides'] = { income: [], staff: [], other: [], transfer: [] }
  for (const line of facts.lines) {
    const side = sideOf(codeOf(facts, line.codeId)?.facts ?? null, line.isStaff)
    if (side !== 'balance') sides[facts.isSeveral && line.transfer ? 'transfer' : side].push(line)
  }
  return { facts, plan: planOf(facts), sides }
}

function codeOf({ codes }: ReportFacts, codeId: number | null): ReportCode | undefined {
  return codeId === null ? undefined : codes.get(codeId)
}

/** Lines added up as the database gave them: each of the twelve months, or each bucket. */
export function sumsOf({ facts, plan }: Ledger, lines: readonly LineSum[]): Sums {
  const sums = Array.from({ length: plan.width }, (): Cell => ({ ...noCell }))
  for (const { unit, amounts } of lines)
    for (let month = 0; month < amounts.length; month++) {
      const amount = amounts[month] ?? null
      const sum = assertDefined(sums[facts.spread === 'months' ? month : unit])
      sum.value += amount ?? 0
      if (amount === null) sum.missing++
      else sum.known++
    }
  return sums
}

export function addSums(all: readonly Sums[], { plan }: Ledger): Sums {
  const added = Array.from({ length: plan.width }, (): Cell => ({ ...noCell }))
  for (const sums of all)
    for (let index = 0; index < plan.width; index++) {
      const [sum, own] = [assertDefined(added[index]), assertDefined(sums[index])]
      sum.value += own.value
      sum.known += own.known
      sum.missing += own.missing
    }
  return added
}

export const minusSums = (sums: Sums): Sums => sums.map(negated)

const missingIn = (lines: readonly LineSum[]): number => lines.reduce((sum, line) => sum + line.missing, 0)

export interface RowOf {
  kind: ReportRowKind
  label: string
  level: number
  place?: Place | null
  lines?: readonly LineSum[]
  adds?: ReportRow['adds']
}

/** A row of amounts. */
export function amountRow({ plan }: Ledger, { kind, label, level, place, lines = [], adds }: RowOf, sums: Sums): ReportRow {
  return {
    kind,
    label,
    level,
    values: plan.finish(sums).map(shownCell),
    drill: place ? placeText(place) : null,
    missing: missingIn(lines),
    ...(adds ? { adds } : {}),
  }
}

/** A row without figures. */
function wordsRow(
  { plan }: Pick<Ledger, 'plan'>,
  { kind, label, level }: { kind: ReportRowKind; label: string; level: number },
): ReportRow {
  return { kind, label, level, values: plan.columns.map(() => null), drill: null, missing: 0 }
}

/** A heading, rows, and the exact sum of those of the kind Data. */
export interface Section {
  rows: ReportRow[]
  sums: Sums
}

/**
 * The codes of some lines with a row each, in the order of their codes; under a scheme each of its codes stands above those that it sums,
 * and codes without one come last.
 */
export function codeRows(
  ledger: Ledger,
  lines: readonly LineSum[],
  { level, place, also }: { level: number; place: Place; also: readonly ReportCode[] },
): Section {
  const { facts } = ledger
  const own = new Map<number | null, LineSum[]>(also.map((code) => [code.id, []]))
  for (const line of lines) {
    const found = own.get(line.codeId)
    if (found) found.push(line)
    else own.set(line.codeId, [line])
  }
  const codes = [...own]
    .map(([codeId, some]) => ({ code: codeOf(facts, codeId), codeId, lines: some, sums: sumsOf(ledger, some) }))
    .filter((one) => facts.includeEmpty || one.sums.some(({ value, missing }) => value !== 0 || missing > 0))
    .sort((a, b) => compareValues(a.code?.code, b.code?.code))
  const sums = addSums(
    codes.map((one) => one.sums),
    ledger,
  )
  const rowOf = ({ code, codeId, lines: some, sums: own }: (typeof codes)[number], at: number): ReportRow =>
    amountRow(
      ledger,
      {
        kind: 'Data',
        label: code ? `${code.code} ${code.description}` : codeId === null ? 'Apprenticeship levy' : 'Unknown code',
        level: at,
        place: { ...place, code: codeId === null ? 'levy' : String(codeId) },
        lines: some,
      },
      own,
    )
  if (!facts.byScheme) return { rows: codes.map((one) => rowOf(one, level)), sums }
  const groups = new Map<string, typeof codes>()
  for (const one of codes) {
    const key = one.code?.scheme?.code ?? ''
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const rows = [...groups.values()]
    .sort(
      (a, b) =>
        compareValues(assertDefined(a[0]).code?.scheme?.order, assertDefined(b[0]).code?.scheme?.order) ||
        compareValues(assertDefined(a[0]).code?.scheme?.code, assertDefined(b[0]).code?.scheme?.code),
    )
    .flatMap((some) => {
      const scheme = assertDefined(some[0]).code?.scheme
      const all = addSums(
        some.map((one) => one.sums),
        ledger,
      )
      const label = scheme ? `${scheme.code} ${scheme.description}` : 'Without a code of the scheme'
      const under = some.flatMap((one) => one.lines)
      const own = { ...place, code: codesIn(under) }
      return [
        amountRow(ledger, { kind: 'Description', label, level, place: own.code ? own : null, lines: under }, all),
        ...some.map((one) => rowOf(one, level + 1)),
      ]
    })
  return { rows, sums }
}

/** A section that is shown though nothing is in it: an empty budget shows how a report is built. */
export function section(
  ledger: Ledger,
  {
    title,
    body,
    level,
    place,
    total = `${assertDefined(title[0]).toLowerCase()}${title.slice(1)}`,
  }: { title: string; body: Section; level: number; place: Place | null; total?: string },
): ReportRow[] {
  return [
    wordsRow(ledger, { kind: 'SectionHeader', label: title, level }),
    ...body.rows,
    {
      ...amountRow(ledger, { kind: 'SectionFooter', label: `Total ${total}`, level, place }, body.sums),
      missing: body.rows.reduce((sum, row) => sum + (row.kind === 'Data' ? row.missing : 0), 0),
    },
  ]
}

const transferNames = { gagPool: 'GAG pooling', topSlice: 'Top slices' } as const

/** What locations pay each other, one line each: it cancels over those that take part (rules.md §14 and §19). Positive is received. */
export function transferSection(ledger: Ledger, level: number): Section {
  const lines = ledger.sides.transfer
  const received = (some: readonly LineSum[]): Sums => {
    const isIncome = (line: LineSum): boolean => codeOf(ledger.facts, line.codeId)?.facts.isIncome ?? false
    return addSums(
      [
        sumsOf(ledger, some.filter(isIncome)),
        minusSums(
          sumsOf(
            ledger,
            some.filter((line) => !isIncome(line)),
          ),
        ),
      ],
      ledger,
    )
  }
  const kinds = (['gagPool', 'topSlice'] as const).flatMap((transfer) => {
    const own = lines.filter((line) => line.transfer === transfer)
    return own.length ? [{ transfer, own, sums: received(own) }] : []
  })
  return {
    rows: kinds.map(({ transfer, own, sums }) =>
      amountRow(ledger, { kind: 'Data', label: transferNames[transfer], level, place: { transfer }, lines: own }, sums),
    ),
    sums: addSums(
      kinds.map((one) => one.sums),
      ledger,
    ),
  }
}

/** Income less expenditure, with what is paid between locations where that is told apart. */
export function inYearSums(ledger: Ledger): Sums {
  const { income, staff, other } = ledger.sides
  return addSums(
    [sumsOf(ledger, income), minusSums(sumsOf(ledger, staff)), minusSums(sumsOf(ledger, other)), transferSection(ledger, 0).sums],
    ledger,
  )
}

/** What is paid between locations, where that is told apart, and the in-year balance below it, which adds up the totals above. */
export function inYearRows(ledger: Ledger, level: number): ReportRow[] {
  const transfers = transferSection(ledger, level + 1)
  const isApart = transfers.rows.length > 0
  return [
    ...(isApart ? section(ledger, { title: 'Between locations', body: transfers, level, place: { transfer: 'any' } }) : []),
    amountRow(
      ledger,
      {
        kind: 'Total',
        label: 'In-year balance',
        level,
        place: { side: 'inYear' },
        lines: Object.values(ledger.sides).flat(),
        adds: [
          { label: 'Total income' },
          { label: 'Total expenditure', less: true },
          ...(isApart ? [{ label: 'Total between locations' }] : []),
        ],
      },
      inYearSums(ledger),
    ),
  ]
}

/** The balances of one type over the columns of a report. */
export interface BalanceOfType {
  /** By the list `openingBalanceTypes`. */
  type: number
  name: string
  opening: Sums
  closing: Sums
  /** Monthly figures that it is without, those of the years before included; each once, however many columns lack it. */
  missing: Record<'opening' | 'closing', number>
}

/** Opening and closing balances of each type that has any (rules.md §15); nothing where only part of the money was asked for. */
export function balancesOf(ledger: Ledger): BalanceOfType[] {
  const { facts, plan } = ledger
  if (!facts.carried) return []
  const isMonths = facts.spread === 'months'
  const typeOf = (codeId: number | null): number => {
    const code = codeOf(facts, codeId)
    return code ? balanceOf(code.facts) : openingBalanceType.revenue
  }
  const signOf = (codeId: number | null): 1 | -1 => (codeOf(facts, codeId)?.facts.isIncome ? 1 : -1)
  const width = isMonths ? 1 : plan.width
  const begun = new Map<number, number[]>()
  const add = (type: number, unit: number, value: number): void => {
    const own = begun.get(type) ?? Array<number>(width).fill(0)
    own[unit] = assertDefined(own[unit]) + value
    begun.set(type, own)
  }
  for (const { unit, type, value } of facts.carried.openings) add(type, unit, value)
  const isMoving = ({ codeId, isStaff }: { codeId: number | null; isStaff: boolean }): boolean =>
    sideOf(codeOf(facts, codeId)?.facts ?? null, isStaff) !== 'balance'
  for (const { unit, codeId, isStaff, total } of facts.carried.before)
    if (isMoving({ codeId, isStaff })) add(typeOf(codeId), unit, signOf(codeId) * total)
  const moving = Object.values(ledger.sides).flat()
  return lookups.openingBalanceTypes.flatMap(({ id, name }) => {
    const own = moving.filter((line) => typeOf(line.codeId) === id)
    const isUsed = begun.has(id) || own.length > 0
    if (!isUsed && id !== openingBalanceType.revenue) return []
    const inYear = addSums(
      ([1, -1] as const).map((sign) => {
        const sums = sumsOf(
          ledger,
          own.filter((line) => signOf(line.codeId) === sign),
        )
        return sign === 1 ? sums : minusSums(sums)
      }),
      ledger,
    )
    const at = begun.get(id) ?? Array<number>(width).fill(0)
    let carried = assertDefined(at[0])
    const opening = inYear.map((_sum, index): Cell => {
      const value = isMonths ? carried : assertDefined(at[index])
      carried += assertDefined(inYear[index]).value
      return { value: value || 0, known: 1, missing: 0 }
    })
    const closing = opening.map(
      (cell, index): Cell => ({ value: cell.value + assertDefined(inYear[index]).value || 0, known: 1, missing: 0 }),
    )
    const before = assertDefined(facts.carried).before.filter((sum) => typeOf(sum.codeId) === id && isMoving(sum))
    return [{ type: id, name, opening, closing, missing: missingAt(facts, before, own) }]
  })
}

/** What the sum of all balances is without. */
export function missingOf(balances: readonly BalanceOfType[], at: 'opening' | 'closing'): number {
  return balances.reduce((sum, one) => sum + one.missing[at], 0)
}

/** What balances are without: the last year of each place and budget lacks all that the years before it lack. */
function missingAt({ units, spread }: ReportFacts, before: Carried['before'], inYear: readonly LineSum[]): BalanceOfType['missing'] {
  const begun = units.map(() => 0)
  const moved = units.map(() => 0)
  for (const { unit, missing } of before) begun[unit] = assertDefined(begun[unit]) + missing
  for (const { unit, missing } of inYear) moved[unit] = assertDefined(moved[unit]) + missing
  const most = (sums: readonly number[]): number => {
    const byPlace = new Map<string, number>()
    for (const [index, { location, budget }] of units.entries()) {
      const key = `${location?.id} ${budget?.id}`
      byPlace.set(key, Math.max(byPlace.get(key) ?? 0, assertDefined(sums[index])))
    }
    return [...byPlace.values()].reduce((sum, one) => sum + one, 0)
  }
  const closing = most(begun.map((sum, index) => sum + assertDefined(moved[index])))
  // The months after a gap begin without it.
  return { opening: spread === 'months' ? closing : most(begun), closing }
}

/** The rows of opening or closing balances, each type and the sum of them. */
export function balanceSection(
  ledger: Ledger,
  { balances, at, level }: { balances: readonly BalanceOfType[]; at: 'opening' | 'closing'; level: number },
): ReportRow[] {
  if (!balances.length) return []
  const { plan } = ledger
  const title = at === 'opening' ? 'Opening balances' : 'Closing balances'
  const valuesOf = (sums: Sums): ReportRow['values'] => plan.finishBalance(sums, at).map(shownCell)
  const total = addSums(
    balances.map((one) => one[at]),
    ledger,
  )
  return [
    wordsRow(ledger, { kind: 'SectionHeader', label: title, level }),
    ...balances.map(
      (one): ReportRow => ({
        kind: 'Data',
        label: `${one.name} balance`,
        level: level + 1,
        values: valuesOf(one[at]),
        drill: null,
        missing: one.missing[at],
      }),
    ),
    {
      kind: 'SectionFooter',
      label: `Total ${title.toLowerCase()}`,
      level,
      values: valuesOf(total),
      drill: null,
      missing: missingOf(balances, at),
    },
  ]
}

/** A report of money: its rows are given, all else follows from the facts. */
export function moneyReport(title: string, ledger: Ledger, rows: ReportRow[]): Report {
  const { facts, plan } = ledger
  const whole = facts.wholeLines ? ledgerOf({ ...facts, lines: facts.wholeLines }) : ledger
  const income = plan.finish(sumsOf(whole, whole.sides.income)).map(shownCell)
  return {
    title,
    columns: plan.columns,
    rows,
    notCalculated: facts.notCalculated,
    bases: plan.columns.map(({ key }, index) =>
      key.startsWith('difference')
        ? { income: null, pupils: null }
        : { income: elementAt(income, index), pupils: elementAt(plan.pupils, index) },
    ),
  }
}

/** The facts of each location by itself, its years side by side. */
function eachLocation(facts: ReportFacts): { location: NonNullable<ReportUnit['location']>; facts: ReportFacts }[] {
  const places = new Map(facts.units.flatMap(({ location }) => (location ? [[location.id, location] as const] : [])))
  const at = new Map<number, { place: LocationId; index: number }>()
  const units = new Map<LocationId, ReportUnit[]>([...places.keys()].map((id) => [id, []]))
  for (const [index, unit] of facts.units.entries()) {
    const own = assertDefined(units.get(assertDefined(unit.location).id))
    at.set(index, { place: assertDefined(unit.location).id, index: own.push(unit) - 1 })
  }
  const shared = <T extends { unit: number }>(rows: readonly T[]): Map<LocationId, T[]> => {
    const byPlace = new Map<LocationId, T[]>()
    for (const row of rows) {
      const { place, index } = assertDefined(at.get(row.unit))
      const own = byPlace.get(place)
      const moved = { ...row, unit: index }
      if (own) own.push(moved)
      else byPlace.set(place, [moved])
    }
    return byPlace
  }
  const lines = shared(facts.lines)
  const before = shared(facts.carried?.before ?? [])
  const openings = shared(facts.carried?.openings ?? [])
  return [...places.values()].map((location) => ({
    location,
    facts: {
      ...facts,
      spread: 'years',
      units: assertDefined(units.get(location.id)),
      lines: lines.get(location.id) ?? [],
      carried: facts.carried && { before: before.get(location.id) ?? [], openings: openings.get(location.id) ?? [] },
    },
  }))
}

/** What the rows of each location are made with, its years side by side. */
export function eachLedger(facts: ReportFacts): { location: NonNullable<ReportUnit['location']>; ledger: Ledger }[] {
  return eachLocation(facts).map(({ location, facts: own }) => ({ location, ledger: ledgerOf(own) }))
}

/** A report with a section for each location: the rows of each under its name, the columns those of a year each. */
export function bySingleLocation(title: string, facts: ReportFacts, rowsOf: (ledger: Ledger, level: number) => ReportRow[]): Report {
  const names = [...new Set(facts.units.map((unit) => unit.year))]
  const parts = eachLedger(facts)
  const columns = names.map((year) => ({ key: placeText({ year }), title: year, type: 'money' as const }))
  return {
    title,
    columns,
    notCalculated: facts.notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
    rows: parts.flatMap(({ location, ledger }, index) => {
      const here = (row: ReportRow): ReportRow => ({ ...row, drill: row.drill && `${row.drill}&location=${location.id}` })
      return [
        ...(index ? [wordsRow({ plan: ledger.plan }, { kind: 'Empty', label: '', level: 0 })] : []),
        wordsRow(ledger, { kind: 'SectionHeader', label: location.name, level: 0 }),
        ...rowsOf(ledger, 1).map(here),
      ]
    }),
  }
}
