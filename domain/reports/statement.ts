import { findBalanceType, findOverviewSection, type OverviewSection } from '../calculation/nonStaffing/balances.ts'
import { compareValues } from '../lists/lists.ts'
import { openingBalanceType } from '../lookups/lookupIds.ts'
import { lookups } from '../lookups/lookups.ts'
import { assertDefined, requireItemAt } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import { toMidSentence } from '../words/terms.ts'
import { type CellFigure, type ColumnPlan, negateCell, planColumns, type RowSums, toDisplayedValue, zeroCell } from './columns.ts'
import type { LineSum, OpeningPosition, ReportCode, ReportFacts, ReportUnit } from './facts.ts'
import { formatCodeIds, formatLineFilter, type LineFilter, type Report, type ReportRow, type ReportRowKind } from './report.ts'

/** The section that a line belongs to. In a report on several locations, payments between them are a section of their own. */
type LineSide = Exclude<OverviewSection, 'balance'> | 'transfer'

export interface ReportLedger {
  facts: ReportFacts
  plan: ColumnPlan
  /** Lines by section, without those on balance codes. */
  sides: Record<LineSide, LineSum[]>
}

export function buildReportLedger(facts: ReportFacts): ReportLedger {
  const sides: ReportLedger['sides'] = { income: [], staff: [], other: [], transfer: [] }
  for (const line of facts.lines) {
    const side = findOverviewSection(findCode(facts, line.codeId)?.facts ?? null, line.isStaff)
    if (side !== 'balance') sides[facts.hasSeveralLocations && line.transfer ? 'transfer' : side].push(line)
  }
  return { facts, plan: planColumns(facts), sides }
}

function findCode({ codes }: ReportFacts, codeId: number | null): ReportCode | undefined {
  return codeId === null ? undefined : codes.get(codeId)
}

/** Adds lines: for each month, or for each unit. */
export function sumLines({ facts, plan }: ReportLedger, lines: readonly LineSum[]): RowSums {
  const sums = Array.from({ length: plan.width }, (): CellFigure => ({ ...zeroCell }))
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

export function addRowSums(all: readonly RowSums[], { plan }: ReportLedger): RowSums {
  const added = Array.from({ length: plan.width }, (): CellFigure => ({ ...zeroCell }))
  for (const sums of all)
    for (let index = 0; index < plan.width; index++) {
      const [sum, rowSum] = [assertDefined(added[index]), assertDefined(sums[index])]
      sum.value += rowSum.value
      sum.known += rowSum.known
      sum.missing += rowSum.missing
    }
  return added
}

export const negateSums = (sums: RowSums): RowSums => sums.map(negateCell)

const sumMissingLines = (lines: readonly LineSum[]): number => lines.reduce((sum, line) => sum + line.missing, 0)

export interface AmountRowOptions {
  kind: ReportRowKind
  label: string
  level: number
  filter?: LineFilter | null
  lines?: readonly LineSum[]
  adds?: ReportRow['adds']
}

export function buildAmountRow(
  { plan }: ReportLedger,
  { kind, label, level, filter, lines = [], adds }: AmountRowOptions,
  sums: RowSums,
): ReportRow {
  return {
    kind,
    label,
    level,
    values: plan.finish(sums).map(toDisplayedValue),
    drill: filter ? formatLineFilter(filter) : null,
    missing: sumMissingLines(lines),
    ...(adds ? { adds } : {}),
  }
}

function buildTextRow(
  { plan }: Pick<ReportLedger, 'plan'>,
  { kind, label, level }: { kind: ReportRowKind; label: string; level: number },
): ReportRow {
  return { kind, label, level, values: plan.columns.map(() => null), drill: null, missing: 0 }
}

export interface ReportSection {
  rows: ReportRow[]
  sums: RowSums
}

/**
 * Builds a row for each code, sorted by code. If codes are grouped by a scheme, each scheme code comes before the codes that it sums; codes
 * without a scheme code come last.
 */
export function buildCodeRows(
  ledger: ReportLedger,
  lines: readonly LineSum[],
  { level, filter, also }: { level: number; filter: LineFilter; also: readonly ReportCode[] },
): ReportSection {
  const { facts } = ledger
  const linesByCode = new Map<number | null, LineSum[]>(also.map((code) => [code.id, []]))
  for (const line of lines) {
    const found = linesByCode.get(line.codeId)
    if (found) found.push(line)
    else linesByCode.set(line.codeId, [line])
  }
  const codes = [...linesByCode]
    .map(([codeId, some]) => ({ code: findCode(facts, codeId), codeId, lines: some, sums: sumLines(ledger, some) }))
    .filter((one) => facts.includeEmpty || one.sums.some(({ value, missing }) => value !== 0 || missing > 0))
    .sort((a, b) => compareValues(a.code?.code, b.code?.code))
  const sums = addRowSums(
    codes.map((one) => one.sums),
    ledger,
  )
  const rowOf = ({ code, codeId, lines: some, sums: codeSums }: (typeof codes)[number], at: number): ReportRow =>
    buildAmountRow(
      ledger,
      {
        kind: 'Data',
        label: code ? `${code.code} ${code.description}` : codeId === null ? 'Apprenticeship levy' : 'Unknown code',
        level: at,
        filter: { ...filter, code: codeId === null ? 'levy' : String(codeId) },
        lines: some,
      },
      codeSums,
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
      const all = addRowSums(
        some.map((one) => one.sums),
        ledger,
      )
      const label = scheme ? `${scheme.code} ${scheme.description}` : 'No code in this scheme'
      const under = some.flatMap((one) => one.lines)
      const codeFilter = { ...filter, code: formatCodeIds(under) }
      return [
        buildAmountRow(ledger, { kind: 'Description', label, level, filter: codeFilter.code ? codeFilter : null, lines: under }, all),
        ...some.map((one) => rowOf(one, level + 1)),
      ]
    })
  return { rows, sums }
}

/** Builds a section with a heading and a total, even if it has no rows, so that an empty budget shows the structure of the report. */
export function buildSection(
  ledger: ReportLedger,
  {
    title,
    body,
    level,
    filter,
    total = `${assertDefined(title[0]).toLowerCase()}${title.slice(1)}`,
  }: { title: string; body: ReportSection; level: number; filter: LineFilter | null; total?: string },
): ReportRow[] {
  return [
    buildTextRow(ledger, { kind: 'SectionHeader', label: title, level }),
    ...body.rows,
    {
      ...buildAmountRow(ledger, { kind: 'SectionFooter', label: `Total ${total}`, level, filter }, body.sums),
      missing: body.rows.reduce((sum, row) => sum + (row.kind === 'Data' ? row.missing : 0), 0),
    },
  ]
}

const transferNames = { gagPool: 'GAG pooling', topSlice: 'Top slices' } as const

/**
 * Builds the section of payments between locations, with a row for each kind. A payment received is positive. Over all participants the
 * payments add up to zero (rules.md §14 and §19).
 */
export function buildTransferSection(ledger: ReportLedger, level: number): ReportSection {
  const lines = ledger.sides.transfer
  const received = (some: readonly LineSum[]): RowSums => {
    const isIncome = (line: LineSum): boolean => findCode(ledger.facts, line.codeId)?.facts.isIncome ?? false
    return addRowSums(
      [
        sumLines(ledger, some.filter(isIncome)),
        negateSums(
          sumLines(
            ledger,
            some.filter((line) => !isIncome(line)),
          ),
        ),
      ],
      ledger,
    )
  }
  const kinds = (['gagPool', 'topSlice'] as const).flatMap((transfer) => {
    const transferLines = lines.filter((line) => line.transfer === transfer)
    return transferLines.length ? [{ transfer, own: transferLines, sums: received(transferLines) }] : []
  })
  return {
    rows: kinds.map(({ transfer, own: transferLines, sums }) =>
      buildAmountRow(ledger, { kind: 'Data', label: transferNames[transfer], level, filter: { transfer }, lines: transferLines }, sums),
    ),
    sums: addRowSums(
      kinds.map((one) => one.sums),
      ledger,
    ),
  }
}

/** Calculates income less expenditure, plus payments between locations if they are shown separately. */
export function calculateInYearSums(ledger: ReportLedger): RowSums {
  const { income, staff, other } = ledger.sides
  return addRowSums(
    [
      sumLines(ledger, income),
      negateSums(sumLines(ledger, staff)),
      negateSums(sumLines(ledger, other)),
      buildTransferSection(ledger, 0).sums,
    ],
    ledger,
  )
}

/** Builds the rows of payments between locations, if they are shown separately, and of the in-year balance. */
export function buildInYearRows(ledger: ReportLedger, level: number): ReportRow[] {
  const transfers = buildTransferSection(ledger, level + 1)
  const isApart = transfers.rows.length > 0
  return [
    ...(isApart ? buildSection(ledger, { title: 'Between locations', body: transfers, level, filter: { transfer: 'any' } }) : []),
    buildAmountRow(
      ledger,
      {
        kind: 'Total',
        label: 'In-year balance',
        level,
        filter: { side: 'inYear' },
        lines: Object.values(ledger.sides).flat(),
        adds: [
          { label: 'Total income' },
          { label: 'Total expenditure', less: true },
          ...(isApart ? [{ label: 'Total between locations' }] : []),
        ],
      },
      calculateInYearSums(ledger),
    ),
  ]
}

/** The opening and closing balances of one type, by column. */
export interface BalanceOfType {
  /** An id from the list `openingBalanceTypes`. */
  type: number
  name: string
  opening: RowSums
  closing: RowSums
  /** How many monthly figures are left out, including those of earlier years. Each figure counts once, however many columns it affects. */
  missing: Record<'opening' | 'closing', number>
}

/** Calculates opening and closing balances for each type in use (rules.md §15); empty if the report is filtered. */
export function calculateBalances(ledger: ReportLedger): BalanceOfType[] {
  const { facts, plan } = ledger
  if (!facts.carried) return []
  const isMonths = facts.spread === 'months'
  const typeOf = (codeId: number | null): number => {
    const code = findCode(facts, codeId)
    return code ? findBalanceType(code.facts) : openingBalanceType.revenue
  }
  const signOf = (codeId: number | null): 1 | -1 => (findCode(facts, codeId)?.facts.isIncome ? 1 : -1)
  const width = isMonths ? 1 : plan.width
  const begun = new Map<number, number[]>()
  const add = (type: number, unit: number, value: number): void => {
    const broughtForward = begun.get(type) ?? Array<number>(width).fill(0)
    broughtForward[unit] = assertDefined(broughtForward[unit]) + value
    begun.set(type, broughtForward)
  }
  for (const { unit, type, value } of facts.carried.openings) add(type, unit, value)
  const isMoving = ({ codeId, isStaff }: { codeId: number | null; isStaff: boolean }): boolean =>
    findOverviewSection(findCode(facts, codeId)?.facts ?? null, isStaff) !== 'balance'
  for (const { unit, codeId, isStaff, total } of facts.carried.before)
    if (isMoving({ codeId, isStaff })) add(typeOf(codeId), unit, signOf(codeId) * total)
  const moving = Object.values(ledger.sides).flat()
  return lookups.openingBalanceTypes.flatMap(({ id, name }) => {
    const linesOfType = moving.filter((line) => typeOf(line.codeId) === id)
    const isUsed = begun.has(id) || linesOfType.length > 0
    if (!isUsed && id !== openingBalanceType.revenue) return []
    const inYear = addRowSums(
      ([1, -1] as const).map((sign) => {
        const sums = sumLines(
          ledger,
          linesOfType.filter((line) => signOf(line.codeId) === sign),
        )
        return sign === 1 ? sums : negateSums(sums)
      }),
      ledger,
    )
    const at = begun.get(id) ?? Array<number>(width).fill(0)
    let carried = assertDefined(at[0])
    const opening = inYear.map((_sum, index): CellFigure => {
      const value = isMonths ? carried : assertDefined(at[index])
      carried += assertDefined(inYear[index]).value
      return { value: value || 0, known: 1, missing: 0 }
    })
    const closing = opening.map(
      (cell, index): CellFigure => ({ value: cell.value + assertDefined(inYear[index]).value || 0, known: 1, missing: 0 }),
    )
    const before = assertDefined(facts.carried).before.filter((sum) => typeOf(sum.codeId) === id && isMoving(sum))
    return [{ type: id, name, opening, closing, missing: sumMissingBalances(facts, before, linesOfType) }]
  })
}

/** Counts the figures that are missing from all balances. */
export function sumMissingFigures(balances: readonly BalanceOfType[], at: 'opening' | 'closing'): number {
  return balances.reduce((sum, one) => sum + one.missing[at], 0)
}

/**
 * Counts the figures that are missing from balances. A figure missing in one year is missing in all later years of the same location and
 * budget, so only the last year is counted.
 */
function sumMissingBalances(
  { units, spread }: ReportFacts,
  before: OpeningPosition['before'],
  inYear: readonly LineSum[],
): BalanceOfType['missing'] {
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
  // A month after a missing figure starts without it, so its opening balance lacks the figure too.
  return { opening: spread === 'months' ? closing : most(begun), closing }
}

export function buildBalanceSection(
  ledger: ReportLedger,
  { balances, at, level }: { balances: readonly BalanceOfType[]; at: 'opening' | 'closing'; level: number },
): ReportRow[] {
  if (!balances.length) return []
  const { plan } = ledger
  const title = at === 'opening' ? 'Opening balances' : 'Closing balances'
  const valuesOf = (sums: RowSums): ReportRow['values'] => plan.finishBalance(sums, at).map(toDisplayedValue)
  const total = addRowSums(
    balances.map((one) => one[at]),
    ledger,
  )
  return [
    buildTextRow(ledger, { kind: 'SectionHeader', label: title, level }),
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
      label: `Total ${toMidSentence(title)}`,
      level,
      values: valuesOf(total),
      drill: null,
      missing: sumMissingFigures(balances, at),
    },
  ]
}

export function buildMoneyReport(title: string, ledger: ReportLedger, rows: ReportRow[]): Report {
  const { facts, plan } = ledger
  const whole = facts.wholeLines ? buildReportLedger({ ...facts, lines: facts.wholeLines }) : ledger
  const income = plan.finish(sumLines(whole, whole.sides.income)).map(toDisplayedValue)
  return {
    title,
    columns: plan.columns,
    rows,
    notCalculated: facts.notCalculated,
    bases: plan.columns.map(({ key }, index) =>
      key.startsWith('difference')
        ? { income: null, pupils: null }
        : { income: requireItemAt(income, index), pupils: requireItemAt(plan.pupils, index) },
    ),
  }
}

function splitByLocation(facts: ReportFacts): { location: NonNullable<ReportUnit['location']>; facts: ReportFacts }[] {
  const locationsById = new Map(facts.units.flatMap(({ location }) => (location ? [[location.id, location] as const] : [])))
  const at = new Map<number, { locationId: LocationId; index: number }>()
  const units = new Map<LocationId, ReportUnit[]>([...locationsById.keys()].map((id) => [id, []]))
  for (const [index, unit] of facts.units.entries()) {
    const locationUnits = assertDefined(units.get(assertDefined(unit.location).id))
    at.set(index, { locationId: assertDefined(unit.location).id, index: locationUnits.push(unit) - 1 })
  }
  const shared = <T extends { unit: number }>(rows: readonly T[]): Map<LocationId, T[]> => {
    const byPlace = new Map<LocationId, T[]>()
    for (const row of rows) {
      const { locationId, index } = assertDefined(at.get(row.unit))
      const locationRows = byPlace.get(locationId)
      const moved = { ...row, unit: index }
      if (locationRows) locationRows.push(moved)
      else byPlace.set(locationId, [moved])
    }
    return byPlace
  }
  const lines = shared(facts.lines)
  const before = shared(facts.carried?.before ?? [])
  const openings = shared(facts.carried?.openings ?? [])
  return [...locationsById.values()].map((location) => ({
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

export function buildLedgerPerLocation(facts: ReportFacts): { location: NonNullable<ReportUnit['location']>; ledger: ReportLedger }[] {
  return splitByLocation(facts).map(({ location, facts: locationFacts }) => ({ location, ledger: buildReportLedger(locationFacts) }))
}

/** Builds a report with a section for each location and a column for each year. */
export function buildReportPerLocation(
  title: string,
  facts: ReportFacts,
  rowsOf: (ledger: ReportLedger, level: number) => ReportRow[],
): Report {
  const names = [...new Set(facts.units.map((unit) => unit.year))]
  const parts = buildLedgerPerLocation(facts)
  const columns = names.map((year) => ({ key: formatLineFilter({ year }), title: year, type: 'money' as const }))
  return {
    title,
    columns,
    notCalculated: facts.notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
    rows: parts.flatMap(({ location, ledger }, index) => {
      const here = (row: ReportRow): ReportRow => ({ ...row, drill: row.drill && `${row.drill}&location=${location.id}` })
      return [
        ...(index ? [buildTextRow({ plan: ledger.plan }, { kind: 'Empty', label: '', level: 0 })] : []),
        buildTextRow(ledger, { kind: 'SectionHeader', label: location.name, level: 0 }),
        ...rowsOf(ledger, 1).map(here),
      ]
    }),
  }
}
