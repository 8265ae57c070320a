import { compareValues } from '../lists/lists.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import type { Report, ReportRow } from './report.ts'
import {
  addSums,
  amountRow,
  bySingleLocation,
  codeRows,
  inYearRows,
  type Ledger,
  ledgerOf,
  minusSums,
  moneyReport,
  section,
  sumsOf,
} from './statement.ts'

/** Each cost centre with its codes: what it brings, what it costs, and what is left; then the sums over all of them (rules.md §19). */
function centreRows(ledger: Ledger, level = 0): ReportRow[] {
  const { facts, sides } = ledger
  const spent = [...sides.staff, ...sides.other]
  const used = new Set<number | null>([...sides.income, ...spent].map((line) => line.centreId))
  if (facts.includeEmpty) for (const id of facts.centres.keys()) used.add(id)
  const centres = [...used]
    .map((id) => ({ id, centre: id === null ? undefined : facts.centres.get(id) }))
    .sort((a, b) => compareValues(a.centre?.code, b.centre?.code))
  const rows = centres.flatMap(({ id, centre }) =>
    oneCentre(ledger, { id, name: centre ? `${centre.code} ${centre.description}` : 'No cost centre' }, level),
  )
  const footersOf = (isIncome: boolean): { label: string }[] =>
    rows.filter((row) => row.kind === 'SectionFooter' && /: income$/.test(row.label) === isIncome).map(({ label }) => ({ label }))
  return [
    ...rows,
    amountRow(
      ledger,
      { kind: 'Total', label: 'Total income', level, place: { side: 'income' }, lines: sides.income, adds: footersOf(true) },
      sumsOf(ledger, sides.income),
    ),
    amountRow(
      ledger,
      { kind: 'Total', label: 'Total expenditure', level, place: { side: 'expenditure' }, lines: spent, adds: footersOf(false) },
      sumsOf(ledger, spent),
    ),
    ...inYearRows(ledger, level),
  ]
}

function oneCentre(ledger: Ledger, { id, name }: { id: number | null; name: string }, level: number): ReportRow[] {
  const { sides } = ledger
  const own = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => line.centreId === id)
  const [income, spent] = [own(sides.income), own([...sides.staff, ...sides.other])]
  const place = { centre: id === null ? 'none' : String(id) }
  const parts = [
    { lines: income, title: `${name}: income`, place: { ...place, side: 'income' as const } },
    { lines: spent, title: `${name}: expenditure`, place: { ...place, side: 'expenditure' as const } },
  ].filter((part) => part.lines.length)
  if (!parts.length) return section(ledger, { title: name, body: { rows: [], sums: addSums([], ledger) }, level, place, total: name })
  const bodies = parts.map((part) => ({ ...part, body: codeRows(ledger, part.lines, { level: level + 1, place: part.place, also: [] }) }))
  const isBoth = bodies.length > 1
  return [
    ...bodies.flatMap((part) => {
      const title = isBoth || part.lines === income ? part.title : name
      // A code keeps its letters in the middle of a row's name too.
      return section(ledger, { title, body: part.body, level, place: part.place, total: title })
    }),
    ...(isBoth
      ? [
          amountRow(
            ledger,
            {
              kind: 'Total' as const,
              label: `${name}: net`,
              level,
              place: { ...place, side: 'inYear' },
              lines: [...income, ...spent],
              adds: [
                { label: `Total ${assertDefined(parts[0]).title}` },
                { label: `Total ${assertDefined(parts[1]).title}`, less: true as const },
              ],
            },
            addSums([assertDefined(bodies[0]).body.sums, minusSums(assertDefined(bodies[1]).body.sums)], ledger),
          ),
        ]
      : []),
  ]
}

/** A column for each year or location, or a section for each location. */
export function costCentreAnalysis(title: string, facts: ReportFacts): Report {
  if (facts.spread === 'eachLocation') return bySingleLocation(title, facts, centreRows)
  const ledger = ledgerOf(facts)
  return moneyReport(title, ledger, centreRows(ledger))
}
