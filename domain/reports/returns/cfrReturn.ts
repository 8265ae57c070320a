import { openingBalanceType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { toDisplayedValue } from '../columns.ts'
import type { LineSum, ReportFacts } from '../facts.ts'
import { describeUnmappedCodes, groupMappedLines, isCapitalCode, type MappedLine } from '../mapped.ts'
import { formatCodeIds, type LineFilter, type Report, type ReportRow } from '../report.ts'
import {
  addRowSums,
  buildAmountRow,
  buildMoneyReport,
  buildReportLedger,
  buildSection,
  calculateBalances,
  negateSums,
  type ReportLedger,
  sumLines,
} from '../statement.ts'

/**
 * The code of revenue contributions to capital, which reduce the revenue balance and increase the capital balance (reference rules.md i.4).
 */
const contributionToCapitalCode = 'E30'
const fromRevenueCode = 'CI04'

/**
 * Builds the Consistent Financial Reporting return of a maintained school: its lines in the framework's order, its balances, and the
 * framework's checks.
 */
export function buildCfrReturn(title: string, given: ReportFacts): Report {
  // A school reports payments to and from other schools under the codes that they are posted to.
  const facts = { ...given, hasSeveralLocations: false }
  const ledger = buildReportLedger(facts)
  const { sides } = ledger
  const spent = [...sides.staff, ...sides.other]
  const selectCapital = (lines: readonly LineSum[], isOwn: boolean): LineSum[] =>
    lines.filter((line) => isCapitalCode(facts, line.codeId) === isOwn)
  const codeOf = (line: LineSum): string | null => facts.codes.get(line.codeId ?? -1)?.scheme?.code ?? null
  const [income, revenue] = [selectCapital(sides.income, false), selectCapital(spent, false)]
  const [fromRevenue, costs] = [
    revenue.filter((line) => codeOf(line) === contributionToCapitalCode),
    revenue.filter((line) => codeOf(line) !== contributionToCapitalCode),
  ]
  const [capitalIncome, capitalCosts] = [selectCapital(sides.income, true), selectCapital(spent, true)]
  const sum = (...groups: (readonly LineSum[])[]) =>
    addRowSums(
      groups.map((lines) => sumLines(ledger, lines)),
      ledger,
    )
  const inYear = addRowSums([sum(income), negateSums(sum(revenue))], ledger)
  const capitalInYear = addRowSums([sum(capitalIncome), negateSums(sum(capitalCosts))], ledger)
  const total = (
    label: string,
    { sums, lines, adds }: { sums: ReturnType<typeof sum>; lines: readonly LineSum[]; adds: ReportRow['adds'] },
  ): ReportRow => buildAmountRow(ledger, { kind: 'Total', label, level: 0, filter: buildFilter(lines, 'inYear'), lines, adds }, sums)
  const checks = describeUnmappedCodes(groupMappedLines(facts, [...sides.income, ...spent]), {
    line: 'CFR code',
    ask: 'Give their budget codes a CFR code.',
  })
  const received = sum(capitalIncome.filter((line) => codeOf(line) === fromRevenueCode))
  const contributed = sum(fromRevenue)
  const yearsThatDiffer = facts.units.flatMap(({ year }, index) => {
    const [a, b] = [assertDefined(received[index]), assertDefined(contributed[index])]
    // Figures are compared only if both are complete.
    return a.missing + b.missing === 0 && a.value !== b.value ? [year] : []
  })
  if (yearsThatDiffer.length)
    checks.push(
      `Check: ${contributionToCapitalCode} and ${fromRevenueCode} are the same transfer from revenue to capital. They differ in ${yearsThatDiffer.join(' and ')}.`,
    )
  return buildMoneyReport(title, ledger, [
    ...buildMappedSection(ledger, 'Income', income),
    ...buildMappedSection(ledger, 'Expenditure', costs),
    ...buildMappedSection(ledger, 'Revenue contribution to capital', fromRevenue),
    total('In-year revenue balance', {
      sums: inYear,
      lines: [...income, ...revenue],
      adds: [
        { label: 'Total income' },
        { label: 'Total expenditure', less: true },
        { label: 'Total revenue contribution to capital', less: true },
      ],
    }),
    ...buildMappedSection(ledger, 'Capital income', capitalIncome),
    ...buildMappedSection(ledger, 'Capital expenditure', capitalCosts),
    total('In-year capital balance', {
      sums: capitalInYear,
      lines: [...capitalIncome, ...capitalCosts],
      adds: [{ label: 'Total capital income' }, { label: 'Total capital expenditure', less: true }],
    }),
    ...buildBalanceRows(ledger),
    ...(checks.length
      ? checks
      : [`Every budget code is mapped to a CFR code, and ${fromRevenueCode} equals ${contributionToCapitalCode}.`]
    ).map((text) => buildTextRow(ledger, text)),
  ])
}

const buildTextRow = ({ plan }: ReportLedger, label: string): ReportRow => ({
  kind: 'Empty',
  label,
  level: 0,
  values: plan.columns.map(() => null),
  drill: null,
  missing: 0,
})

/** The filter of a figure. It includes payments between schools under the codes that they are posted to. */
function buildFilter(lines: readonly LineSum[], side?: LineFilter['side']): LineFilter | null {
  const code = formatCodeIds(lines)
  return code ? { ...(side ? { side } : {}), transfer: 'with', code } : null
}

function buildMappedSection(ledger: ReportLedger, title: string, lines: readonly LineSum[]): ReportRow[] {
  const found = groupMappedLines(ledger.facts, lines)
  const sums = found.map((line) => sumLines(ledger, line.lines))
  const rowOf = (line: MappedLine, index: number): ReportRow =>
    buildAmountRow(
      ledger,
      {
        kind: 'Data',
        label: line.label,
        level: 1,
        filter: buildFilter(line.lines),
        lines: line.lines,
      },
      assertDefined(sums[index]),
    )
  return buildSection(ledger, {
    title,
    body: { rows: found.map(rowOf), sums: addRowSums(sums, ledger) },
    level: 0,
    filter: buildFilter(lines),
  })
}

/** The framework's codes for balances. A budget does not distinguish committed from uncommitted balances. */
const balanceCodes: Record<number, { opening: string; closing: string }> = {
  [openingBalanceType.revenue]: { opening: 'OB01', closing: 'B01 and B02' },
  [openingBalanceType.extended]: { opening: 'OB02', closing: 'B06' },
  [openingBalanceType.capital]: { opening: 'OB03', closing: 'B03 and B05' },
}

function buildBalanceRows(ledger: ReportLedger): ReportRow[] {
  const balances = calculateBalances(ledger)
  if (!balances.length) return []
  return (['opening', 'closing'] as const).flatMap((at) => [
    { ...buildTextRow(ledger, at === 'opening' ? 'Opening balances' : 'Closing balances'), kind: 'SectionHeader' as const },
    ...balances.map(
      (one): ReportRow => ({
        kind: 'Data',
        label: `${assertDefined(balanceCodes[one.type])[at]} ${one.name} balance`,
        level: 1,
        values: ledger.plan.finishBalance(one[at], at).map(toDisplayedValue),
        drill: null,
        missing: one.missing[at],
      }),
    ),
  ])
}
