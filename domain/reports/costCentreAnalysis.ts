import { compareValues } from '../lists/lists.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import type { Report, ReportRow } from './report.ts'
import {
  addRowSums,
  buildAmountRow,
  buildCodeRows,
  buildInYearRows,
  buildMoneyReport,
  buildReportLedger,
  buildReportPerLocation,
  buildSection,
  negateSums,
  type ReportLedger,
  sumLines,
} from './statement.ts'

/** Builds a section for each cost centre with its codes, its income, expenditure and net, and then the totals (rules.md §19). */
function buildAllCentres(ledger: ReportLedger, level = 0): ReportRow[] {
  const { facts, sides } = ledger
  const spent = [...sides.staff, ...sides.other]
  const used = new Set<number | null>([...sides.income, ...spent].map((line) => line.centreId))
  if (facts.includeEmpty) for (const id of facts.centres.keys()) used.add(id)
  const centres = [...used]
    .map((id) => ({ id, centre: id === null ? undefined : facts.centres.get(id) }))
    .sort((a, b) => compareValues(a.centre?.code, b.centre?.code))
  const rows = centres.flatMap(({ id, centre }) =>
    buildCentre(ledger, { id, name: centre ? `${centre.code} ${centre.description}` : 'No cost centre' }, level),
  )
  const footersOf = (isIncome: boolean): { label: string }[] =>
    rows.filter((row) => row.kind === 'SectionFooter' && /: income$/.test(row.label) === isIncome).map(({ label }) => ({ label }))
  return [
    ...rows,
    buildAmountRow(
      ledger,
      { kind: 'Total', label: 'Total income', level, filter: { side: 'income' }, lines: sides.income, adds: footersOf(true) },
      sumLines(ledger, sides.income),
    ),
    buildAmountRow(
      ledger,
      { kind: 'Total', label: 'Total expenditure', level, filter: { side: 'expenditure' }, lines: spent, adds: footersOf(false) },
      sumLines(ledger, spent),
    ),
    ...buildInYearRows(ledger, level),
  ]
}

function buildCentre(ledger: ReportLedger, { id, name }: { id: number | null; name: string }, level: number): ReportRow[] {
  const { sides } = ledger
  const ofCentre = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => line.centreId === id)
  const [income, spent] = [ofCentre(sides.income), ofCentre([...sides.staff, ...sides.other])]
  const centreFilter = { centre: id === null ? 'none' : String(id) }
  const parts = [
    { lines: income, title: `${name}: income`, place: { ...centreFilter, side: 'income' as const } },
    { lines: spent, title: `${name}: expenditure`, place: { ...centreFilter, side: 'expenditure' as const } },
  ].filter((part) => part.lines.length)
  if (!parts.length)
    return buildSection(ledger, { title: name, body: { rows: [], sums: addRowSums([], ledger) }, level, filter: centreFilter, total: name })
  const bodies = parts.map((part) => ({
    ...part,
    body: buildCodeRows(ledger, part.lines, { level: level + 1, filter: part.place, also: [] }),
  }))
  const isBoth = bodies.length > 1
  return [
    ...bodies.flatMap((part) => {
      const title = isBoth || part.lines === income ? part.title : name
      return buildSection(ledger, { title, body: part.body, level, filter: part.place, total: title })
    }),
    ...(isBoth
      ? [
          buildAmountRow(
            ledger,
            {
              kind: 'Total' as const,
              label: `${name}: net`,
              level,
              filter: { ...centreFilter, side: 'inYear' },
              lines: [...income, ...spent],
              adds: [
                { label: `Total ${assertDefined(parts[0]).title}` },
                { label: `Total ${assertDefined(parts[1]).title}`, less: true as const },
              ],
            },
            addRowSums([assertDefined(bodies[0]).body.sums, negateSums(assertDefined(bodies[1]).body.sums)], ledger),
          ),
        ]
      : []),
  ]
}

/** Builds a cost centre analysis, with a column for each year or location, or with a section for each location. */
export function buildCostCentreAnalysis(title: string, facts: ReportFacts): Report {
  if (facts.spread === 'eachLocation') return buildReportPerLocation(title, facts, buildAllCentres)
  const ledger = buildReportLedger(facts)
  return buildMoneyReport(title, ledger, buildAllCentres(ledger))
}
