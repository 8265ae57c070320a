import { openingBalanceType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { shownCell } from '../columns.ts'
import type { LineSum, ReportFacts } from '../facts.ts'
import { isCapital, type MappedLine, mappedLines, mappingChecks } from '../mapped.ts'
import { codesIn, type Place, type Report, type ReportRow } from '../report.ts'
import { addSums, amountRow, balancesOf, type Ledger, ledgerOf, minusSums, moneyReport, section, sumsOf } from '../statement.ts'

/** Revenue that is put into capital: it leaves the one balance and enters the other (reference rules.md i.4). */
const toCapital = 'E30'
const fromRevenueCode = 'CI04'

/** The Consistent Financial Reporting return of a maintained school: its lines in order, balances, and the checks of the framework. */
export function cfrReturn(title: string, given: ReportFacts): Report {
  // A school returns what it pays to others and gets from them on the codes that it stands on.
  const facts = { ...given, isSeveral: false }
  const ledger = ledgerOf(facts)
  const { sides } = ledger
  const spent = [...sides.staff, ...sides.other]
  const of = (lines: readonly LineSum[], isOwn: boolean): LineSum[] => lines.filter((line) => isCapital(facts, line.codeId) === isOwn)
  const codeOf = (line: LineSum): string | null => facts.codes.get(line.codeId ?? -1)?.scheme?.code ?? null
  const [income, revenue] = [of(sides.income, false), of(spent, false)]
  const [fromRevenue, costs] = [revenue.filter((line) => codeOf(line) === toCapital), revenue.filter((line) => codeOf(line) !== toCapital)]
  const [capitalIncome, capitalCosts] = [of(sides.income, true), of(spent, true)]
  const sum = (...groups: (readonly LineSum[])[]) =>
    addSums(
      groups.map((lines) => sumsOf(ledger, lines)),
      ledger,
    )
  const inYear = addSums([sum(income), minusSums(sum(revenue))], ledger)
  const capitalInYear = addSums([sum(capitalIncome), minusSums(sum(capitalCosts))], ledger)
  const total = (
    label: string,
    { sums, lines, adds }: { sums: ReturnType<typeof sum>; lines: readonly LineSum[]; adds: ReportRow['adds'] },
  ): ReportRow => amountRow(ledger, { kind: 'Total', label, level: 0, place: placeOf(lines, 'inYear'), lines, adds }, sums)
  const checks = mappingChecks(mappedLines(facts, [...sides.income, ...spent]), { line: 'CFR code', ask: 'Give their budget codes one.' })
  const received = sum(capitalIncome.filter((line) => codeOf(line) === fromRevenueCode))
  const putIn = sum(fromRevenue)
  const apart = facts.units.flatMap(({ year }, index) => {
    const [a, b] = [assertDefined(received[index]), assertDefined(putIn[index])]
    // What is known in part alone is not compared.
    return a.missing + b.missing === 0 && a.value !== b.value ? [year] : []
  })
  if (apart.length)
    checks.push(
      `Check: ${toCapital} and ${fromRevenueCode} are the same money, put from revenue into capital. They differ in ${apart.join(' and ')}.`,
    )
  return moneyReport(title, ledger, [
    ...sectionOf(ledger, 'Income', income),
    ...sectionOf(ledger, 'Expenditure', costs),
    ...sectionOf(ledger, 'Revenue contribution to capital', fromRevenue),
    total('In-year revenue balance', {
      sums: inYear,
      lines: [...income, ...revenue],
      adds: [
        { label: 'Total income' },
        { label: 'Total expenditure', less: true },
        { label: 'Total revenue contribution to capital', less: true },
      ],
    }),
    ...sectionOf(ledger, 'Capital income', capitalIncome),
    ...sectionOf(ledger, 'Capital expenditure', capitalCosts),
    total('In-year capital balance', {
      sums: capitalInYear,
      lines: [...capitalIncome, ...capitalCosts],
      adds: [{ label: 'Total capital income' }, { label: 'Total capital expenditure', less: true }],
    }),
    ...balanceRows(ledger),
    ...(checks.length ? checks : [`Every budget code maps to a CFR code, and ${fromRevenueCode} is what ${toCapital} is.`]).map((text) =>
      words(ledger, text),
    ),
  ])
}

const words = ({ plan }: Ledger, label: string): ReportRow => ({
  kind: 'Empty',
  label,
  level: 0,
  values: plan.columns.map(() => null),
  drill: null,
  missing: 0,
})

/** Which lines a figure is of; what schools pay each other stands on the codes that it is posted to. */
function placeOf(lines: readonly LineSum[], side?: Place['side']): Place | null {
  const code = codesIn(lines)
  return code ? { ...(side ? { side } : {}), transfer: 'with', code } : null
}

function sectionOf(ledger: Ledger, title: string, lines: readonly LineSum[]): ReportRow[] {
  const found = mappedLines(ledger.facts, lines)
  const sums = found.map((line) => sumsOf(ledger, line.lines))
  const rowOf = (line: MappedLine, index: number): ReportRow =>
    amountRow(
      ledger,
      {
        kind: 'Data',
        label: line.label,
        level: 1,
        place: placeOf(line.lines),
        lines: line.lines,
      },
      assertDefined(sums[index]),
    )
  return section(ledger, { title, body: { rows: found.map(rowOf), sums: addSums(sums, ledger) }, level: 0, place: placeOf(lines) })
}

/** Where the codes of the framework stand for a balance. Committed and uncommitted are not told apart in a budget. */
const balanceCodes: Record<number, { opening: string; closing: string }> = {
  [openingBalanceType.revenue]: { opening: 'OB01', closing: 'B01 and B02' },
  [openingBalanceType.extended]: { opening: 'OB02', closing: 'B06' },
  [openingBalanceType.capital]: { opening: 'OB03', closing: 'B03 and B05' },
}

function balanceRows(ledger: Ledger): ReportRow[] {
  const balances = balancesOf(ledger)
  if (!balances.length) return []
  return (['opening', 'closing'] as const).flatMap((at) => [
    { ...words(ledger, at === 'opening' ? 'Opening balances' : 'Closing balances'), kind: 'SectionHeader' as const },
    ...balances.map(
      (one): ReportRow => ({
        kind: 'Data',
        label: `${assertDefined(balanceCodes[one.type])[at]} ${one.name} balance`,
        level: 1,
        values: ledger.plan.finishBalance(one[at], at).map(shownCell),
        drill: null,
        missing: one.missing[at],
      }),
    ),
  ])
}
