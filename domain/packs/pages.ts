import { periodName } from '../calendar.ts'
import { displayCount, wholePounds } from '../format.ts'
import { roundedQuotient } from '../monitoring/figures.ts'
import { type CalendarMonth, monthWords } from '../monitoring/monitoring.ts'
import { shareIn } from '../reports/measures.ts'
import type { Report, ReportColumn, ReportRow } from '../reports/report.ts'
import { type Chapter, chapterTitles, type PackFigures, type PackWords, type Remark } from './pack.ts'
import { lowestOf, references, spentPerPupil, withFigures } from './references.ts'

/** What stands on the pages of a chapter, from top to bottom. Tables are reports in whole pennies. */
export type PackBlock<Table = Report> =
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: [name: string, value: string][] }
  | { kind: 'table'; report: Table }
  | { kind: 'signatures'; roles: { role: string; name: string | null }[] }

export interface PackPage<Table = Report> {
  chapter: Chapter
  title: string
  blocks: PackBlock<Table>[]
}

/** What a pack is made of. */
export interface PackContent {
  month: CalendarMonth
  chapters: readonly Chapter[]
  words: PackWords
  figures: PackFigures
  remarks: readonly Remark[]
  /** Codes over the threshold that nobody has explained wholly yet; none in a finished pack. */
  due: readonly { budgetCodeId: number; needs: 'reason' | 'action' }[]
  /** The pack that it goes on from. */
  before: { month: CalendarMonth; figures: PackFigures } | null
}

type Cell = number | string | null

function table(title: string, columns: readonly [title: string, type: ReportColumn['type']][], rows: readonly ReportRow[]): Report {
  return {
    title,
    columns: columns.map(([name, type], index) => ({ key: `pack ${index}`, title: name, type })),
    rows: [...rows],
    notCalculated: 0,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}

/** What is null could not be calculated, and says so. */
function row(label: string, values: Cell[], more: Partial<ReportRow> = {}): ReportRow {
  return { kind: 'Data', label, values, drill: null, level: 0, missing: values.includes(null) ? 1 : 0, ...more }
}

/** A pack as pages: a value that the screen, the paper and the comparison are made of alike. */
export function pagesOf(content: PackContent): PackPage[] {
  return content.chapters.map((chapter) => {
    const { texts } = content.words
    const written = withFigures(texts[chapter] ?? '', content.figures).trim()
    const own = written ? [{ kind: 'text' as const, text: written }] : []
    return { chapter, title: chapterTitles[chapter], blocks: [...own, ...blocksOf[chapter](content)] }
  })
}

const blocksOf: Record<Chapter, (content: PackContent) => PackBlock[]> = {
  cover,
  summary,
  monitoring,
  explanations,
  staffing,
  cash,
  balances,
  measures,
  decisions,
  signature: ({ words }) =>
    words.signatories.length
      ? [{ kind: 'signatures', roles: words.signatories.map(({ role, name }) => ({ role, name: name || null })) }]
      : [{ kind: 'text', text: 'Nobody is asked to sign.' }],
}

const mostNamed = 12

function listed(all: readonly string[], thing: string): string {
  const named = all.slice(0, mostNamed).join('; ')
  return all.length > mostNamed ? `${named} and ${displayCount(all.length - mostNamed, `other ${thing}`)}` : named
}

function cover({ month, figures, before, chapters }: PackContent): PackBlock[] {
  const { organisation, place, budgets, leftOut, threshold, year, period, schools, monthsIn } = figures
  const { explainOver, explainOverPercent, explainAlwaysOver } = threshold
  return [
    {
      kind: 'facts',
      facts: [
        ['Organisation', organisation],
        place
          ? ['School', `${place.name}${place.dfeNumber ? ` (DfE number ${place.dfeNumber})` : ''}`]
          : ['Schools', `All, ${displayCount(schools, 'school')}`],
        ['Month', `P${period} ${monthWords(month)}, of the year ${year}`],
        ['Actuals in', monthsIn.map((one) => periodName(one, 1)).join(', ') || 'None'],
        [
          budgets.length === 1 ? 'Budget' : 'Budgets',
          listed(
            budgets.map(({ location, words }) => `${place ? '' : `${location}: `}${words}`),
            'budget',
          ),
        ],
        ...(leftOut.length ? [['Left out', `${listed(leftOut, 'school')}: no budget of this month`] as [string, string]] : []),
        [
          'Lines explained',
          `Over ${wholePounds(explainOver)} and ${explainOverPercent} %, or over ${wholePounds(explainAlwaysOver)} alone`,
        ],
        ...(before ? [['Compared with', `The pack of ${monthWords(before.month)}`] as [string, string]] : []),
        [
          'In this pack',
          chapters
            .filter((one) => one !== 'cover')
            .map((one) => chapterTitles[one])
            .join(', '),
        ],
      ],
    },
  ]
}

/** What governors ask for first, by the keys of the figures. */
const keyFigures = [
  'income.forecast',
  'expenditure.forecast',
  'inYear.forecast',
  'carriedForward.forecast',
  'inYear.budget',
  'income.actual',
  'expenditure.actual',
  'staffing.cost',
  'cash.lowest',
  'thisYear.reserve',
  'nextYear.reserve',
  'thirdYear.reserve',
]

/** A figure that stays blank where neither pack knows it. */
function summary({ month, figures, before }: PackContent): PackBlock[] {
  const rows = references
    .filter((one) => keyFigures.includes(one.key))
    .sort((a, b) => keyFigures.indexOf(a.key) - keyFigures.indexOf(b.key))
    .flatMap(({ label, read }): ReportRow[] => {
      const now = read(figures) as number | null
      if (!before) return now === null ? [] : [row(label, [now])]
      const was = read(before.figures) as number | null
      return now === null && was === null ? [] : [row(label, [now, was, now === null || was === null ? null : now - was])]
    })
  const key = before
    ? table(
        'What changed',
        [
          [monthWords(month), 'money'],
          [monthWords(before.month), 'money'],
          ['Change', 'money'],
        ],
        rows,
      )
    : table('Key figures', [[monthWords(month), 'money']], rows)
  return [{ kind: 'table', report: key }, ...figures.warnings.map((text): PackBlock => ({ kind: 'text', text }))]
}

/** Of what was budgeted for the year, how much was received or spent, with one decimal. */
const shareOfYear = (actual: number, budget: number): number | null => (budget === 0 ? null : roundedQuotient(actual * 1000, budget) / 10)

function monitoring({ figures, month }: PackContent): PackBlock[] {
  // What was not imported is blank, never nothing (rules.md §17).
  const hasActuals = figures.monthsIn.length > 0 || figures.lines.some((line) => line.actualToDate !== 0)
  const missing = figures.lines.reduce((sum, line) => sum + (line.kind === 'Data' ? line.missing : 0), 0)
  const rows = figures.lines.map((line): ReportRow => {
    const { kind, code, description, budgetToDate, actualToDate, variance, variancePercent, commitments } = line
    const { fullYearBudget, forecast, forecastVariance } = line
    const isHeading = kind === 'SectionHeader'
    const values = [
      budgetToDate,
      hasActuals ? actualToDate : null,
      hasActuals ? variance : null,
      !hasActuals || variancePercent === null ? null : Math.round(variancePercent * 10) / 10,
      commitments,
      fullYearBudget,
      hasActuals ? shareOfYear(actualToDate, fullYearBudget) : null,
      forecast,
      forecastVariance,
    ]
    return {
      kind,
      label: code ? `${code} ${description}` : description,
      values: isHeading ? values.map(() => null) : values,
      drill: null,
      level: kind === 'Data' ? 1 : 0,
      missing: 0,
    }
  })
  return [
    {
      kind: 'table',
      report: table(
        'Budget and forecast',
        [
          ['Budget to date', 'money'],
          ['Actual to date', 'money'],
          ['Variance to date', 'money'],
          ['Variance %', 'percent'],
          ['Commitments', 'money'],
          ['Budget of the year', 'money'],
          ['% received or spent', 'percent'],
          ['Forecast of the year', 'money'],
          ['Variance of the year', 'money'],
        ],
        rows,
      ),
    },
    { kind: 'text', text: 'Variances: favourable is positive, adverse is negative, for income and expenditure alike.' },
    ...(figures.monthsIn.includes(month.month)
      ? []
      : [{ kind: 'text' as const, text: `Actuals of ${monthWords(month)} are not in at every school.` }]),
    ...(missing
      ? [
          {
            kind: 'text' as const,
            text: `${displayCount(missing, 'monthly figure')} of the budget could not be calculated and ${missing === 1 ? 'is' : 'are'} in no sum.`,
          },
        ]
      : []),
  ]
}

function explanations({ figures, remarks, due }: PackContent): PackBlock[] {
  const rows = figures.lines.flatMap(({ kind, budgetCodeId, code, description, variance, variancePercent }): ReportRow[] => {
    if (kind !== 'Data' || budgetCodeId === null) return []
    const remark = remarks.find((one) => one.budgetCodeId === budgetCodeId)
    const needs = due.find((one) => one.budgetCodeId === budgetCodeId)?.needs
    if (!remark && !needs) return []
    const percent = variancePercent === null ? null : Math.round(variancePercent * 10) / 10
    const label = code ? `${code} ${description}` : description
    const written = [remark?.note ?? 'No reason yet', remark?.action ?? (needs ? 'No action yet' : '')]
    return [row(label, [variance, percent, ...written], { missing: 0 })]
  })
  if (!rows.length) return [{ kind: 'text', text: 'No line is over the threshold, and none was explained.' }]
  return [
    {
      kind: 'table',
      report: table(
        'Lines explained',
        [
          ['Variance to date', 'money'],
          ['Variance %', 'percent'],
          ['Reason', 'text'],
          ['Action', 'text'],
        ],
        rows,
      ),
    },
  ]
}

function staffing({ figures }: PackContent): PackBlock[] {
  const groups = figures.staffing
  if (!groups?.length) return [{ kind: 'text', text: 'There are no contracts in these budgets.' }]
  return [
    {
      kind: 'table',
      report: table(
        `Contracts of ${figures.year}`,
        [
          ['Contracts', 'number'],
          ['FTE', 'number'],
          ['Budgeted cost', 'money'],
        ],
        groups.map(({ name, isTotal, contracts, fte, cost }) => row(name, [contracts, fte, cost], isTotal ? { kind: 'Total' } : {})),
      ),
    },
    { kind: 'text', text: 'Groups of fewer than three contracts are told together, so that nobody’s pay can be worked out.' },
  ]
}

function cash({ figures }: PackContent): PackBlock[] {
  const { cash: own } = figures
  if (!own?.months.length) return [{ kind: 'text', text: 'There is no cash forecast of these budgets.' }]
  const lowest = lowestOf(figures)
  const { floor } = own
  const said = lowest
    ? `Lowest in ${monthWords(lowest)}: ${wholePounds(lowest.closing)}${
        floor === null
          ? ''
          : lowest.closing < floor
            ? `, ${wholePounds(floor - lowest.closing)} below the floor of ${wholePounds(floor)}`
            : `, not below the floor of ${wholePounds(floor)}`
      }.`
    : 'Cash cannot be calculated until the opening cash of every school is typed.'
  return [
    { kind: 'text', text: said },
    {
      kind: 'table',
      report: table(
        'Cash by month',
        [
          ['Opening', 'money'],
          ['Receipts', 'money'],
          ['Payments', 'money'],
          ['Closing', 'money'],
        ],
        own.months.map((month) => row(monthWords(month), [month.opening, month.receipts, month.payments, month.closing])),
      ),
    },
  ]
}

function balances({ figures }: PackContent): PackBlock[] {
  const { years } = figures
  if (!years.length) return [{ kind: 'text', text: 'These budgets have no year in common.' }]
  const of = (label: string, pick: 'income' | 'staff' | 'inYear' | 'reserve', more: Partial<ReportRow> = {}): ReportRow =>
    row(
      label,
      years.map((year) => year[pick]),
      more,
    )
  return [
    {
      kind: 'table',
      report: table(
        'By year, as budgeted',
        years.map(({ name }): [string, ReportColumn['type']] => [name, 'money']),
        [
          of('Income', 'income'),
          of('Staff expenditure', 'staff'),
          of('In-year balance without capital', 'inYear', { kind: 'Total' }),
          of('Reserve at the end without capital', 'reserve', { kind: 'Total' }),
        ],
      ),
    },
  ]
}

function measures({ figures }: PackContent): PackBlock[] {
  if (!figures.years.length) return [{ kind: 'text', text: 'These budgets have no year in common.' }]
  return [
    {
      kind: 'table',
      report: table(
        'By year, as budgeted',
        [
          ['Staff % of income', 'percent'],
          ['In-year balance % of income', 'percent'],
          ['Reserve % of income', 'percent'],
          ['Pupils', 'number'],
          ['Income per pupil', 'money'],
        ],
        figures.years.map((year) => {
          const { income, staff, inYear, reserve, pupils, name } = year
          // A missing part makes the measure empty, not nothing (rules.md §20).
          return row(name, [shareIn(staff, income), shareIn(inYear, income), shareIn(reserve, income), pupils, spentPerPupil(year)], {
            missing: 0,
          })
        }),
      ),
    },
  ]
}

function decisions({ words, figures }: PackContent): PackBlock[] {
  if (!words.decisions.length) return [{ kind: 'text', text: 'No decision is asked for.' }]
  return words.decisions.map((text, index) => ({ kind: 'text', text: `${index + 1}. ${withFigures(text, figures)}` }))
}
