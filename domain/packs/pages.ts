import { roundedQuotient } from '../monitoring/figures.ts'
import { type CalendarMonth, monthWords } from '../monitoring/monitoring.ts'
import { shareIn } from '../reports/measures/measures.ts'
import type { Report, ReportColumn, ReportRow } from '../reports/report.ts'
import { periodName } from '../values/calendar.ts'
import { displayCount, displaySignedPounds, displayWholePounds } from '../values/format.ts'
import { numberOrNull } from '../values/unknownValues.ts'
import { type Chapter, chapterTitles, type PackComparators, type PackFigures, type PackLine, type PackWords, type Remark } from './pack.ts'
import { hasActuals, incomePerPupil, lowestOf, references, totalOf, withFigures } from './references.ts'

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
        [
          'Month',
          `${period === null ? '' : `P${period} `}${monthWords(month)}${year === null ? ', in years that begin in different months' : `, of the year ${year}`}`,
        ],
        [place ? 'Actuals in' : 'Actuals in at every school', monthsIn.map((one) => periodName(one, 1)).join(', ') || 'None'],
        [
          budgets.length === 1 ? 'Budget' : 'Budgets',
          listed(
            budgets.map(({ location, words }) => `${place ? '' : `${location}: `}${words}`),
            'budget',
          ),
        ],
        ...(leftOut.length ? [['Left out', `${listed(leftOut, 'school')}: no budget of this month`] satisfies [string, string]] : []),
        [
          'Lines explained',
          `Over ${displayWholePounds(explainOver)} and ${explainOverPercent}%, or over ${displayWholePounds(explainAlwaysOver)} alone`,
        ],
        ...(before ? [['Compared with', `The pack of ${monthWords(before.month)}`] satisfies [string, string]] : []),
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

/**
 * A figure stays blank where neither pack knows it. Of a pack of another budget year only what goes by the name of its year is compared: its
 * sums of monitoring, contracts and cash are of other twelve months.
 */
function summary({ month, figures, before }: PackContent): PackBlock[] {
  const isOtherYear = before !== null && (figures.year === null || before.figures.year !== figures.year)
  const rows = references
    .filter((one) => keyFigures.includes(one.key))
    .sort((a, b) => keyFigures.indexOf(a.key) - keyFigures.indexOf(b.key))
    .flatMap(({ label, read, isByYear }): ReportRow[] => {
      const now = numberOrNull(read(figures))
      if (!before) return now === null ? [] : [row(label, [now])]
      if (isOtherYear && !isByYear) return now === null ? [] : [row(label, [now, null, null], { missing: 0 })]
      const was = numberOrNull(read({ ...before.figures, year: figures.year }))
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
  return [
    { kind: 'table', report: key },
    ...(before && isOtherYear
      ? sentences([
          `${
            figures.year === null
              ? 'These budgets begin their years in different months'
              : `The pack of ${monthWords(before.month)} is of another budget year`
          }: figures to date, forecasts, contracts and cash are not compared.`,
        ])
      : []),
    ...sentences(missingIn(figures)),
    ...sentences(figures.warnings),
  ]
}

const sentences = (all: readonly string[]): PackBlock[] => all.map((text) => ({ kind: 'text', text }))

/** What could not be calculated, a sentence for each chapter that lacks it. */
const missingOf = {
  monitoring: ({ lines }: PackFigures): string[] =>
    sayMissing(
      lines.reduce((sum, line) => sum + (line.kind === 'Data' ? line.missing : 0), 0),
      'of the budget',
    ),
  staffing: ({ staffing: groups }: PackFigures): string[] => {
    const count = groups?.find((one) => one.isTotal)?.missing ?? 0
    return count
      ? [`${displayCount(count, 'contract')} could not be calculated wholly and ${count === 1 ? 'is' : 'are'} not in the cost.`]
      : []
  },
  cash: ({ cash: own }: PackFigures): string[] =>
    sayMissing(Math.max(0, ...(own?.months ?? []).map((one) => one.missing ?? 0)), 'of the cash forecast'),
  years: ({ years }: PackFigures): string[] => years.flatMap(({ name, missing = 0 }) => sayMissing(missing, `of ${name}`)),
}

function sayMissing(count: number, of: string): string[] {
  return count
    ? [`${displayCount(count, 'monthly figure')} ${of} could not be calculated and ${count === 1 ? 'is' : 'are'} in no sum.`]
    : []
}

const missingIn = (figures: PackFigures): string[] => Object.values(missingOf).flatMap((of) => of(figures))

/** What a row is called: what stands on staff codes is not all that staff cost by year, so the two have two names. */
function labelOf(line: PackLine): string {
  if (totalOf(line) === 'staff') return 'Total staff codes'
  const { kind, code, description } = line
  if (kind === 'SectionHeader' && description === 'Staff expenditure') return 'Staff codes'
  return code ? `${code} ${description}` : description
}

/** Of what was budgeted for the year, how much was received or spent, with one decimal. */
const shareOfYear = (actual: number, budget: number): number | null => (budget === 0 ? null : roundedQuotient(actual * 1000, budget) / 10)

/** Per cent of the budget to date with one decimal; null where nothing was budgeted. */
const variancePercentOf = ({ variance, variancePercent, budgetToDate }: PackLine): number | null =>
  variancePercent === null ? null : shareIn(variance, budgetToDate)

/** What was typed beside the actuals and the forecast of single lines, which their variances hold. */
function adjustmentsIn({ lines }: PackFigures): string[] {
  const named = lines.flatMap((line) => {
    const { adjustmentToDate = 0, adjustmentOfYear = 0 } = line
    const amounts = [
      ...(adjustmentToDate ? [`${displaySignedPounds(adjustmentToDate)} to date`] : []),
      ...(adjustmentOfYear ? [`${displaySignedPounds(adjustmentOfYear)} of the year`] : []),
    ]
    return line.kind === 'Data' && amounts.length ? [`${labelOf(line)} (${amounts.join(', ')})`] : []
  })
  return named.length ? [`Adjustments, which variances and forecasts hold: ${listed(named, 'line')}.`] : []
}

/** Where what schools pay each other stands. */
function transferWords({ place, transfers }: PackFigures): string[] {
  if (place || transfers === 'none') return []
  if (transfers === 'apart')
    return ['What schools pay each other is in neither income nor expenditure: it stands between them, on a line of its own.']
  return [
    transfers
      ? 'Pools and top slices that stand on codes of other money are in income and expenditure here.'
      : 'Pools and top slices are in income and expenditure here.',
  ]
}

function monitoring({ figures, month }: PackContent): PackBlock[] {
  const isIn = hasActuals(figures)
  const rows = figures.lines.map((line): ReportRow => {
    const { kind, budgetToDate, actualToDate, variance, commitments, fullYearBudget, forecast, forecastVariance } = line
    const isHeading = kind === 'SectionHeader'
    // Nothing of a balance is received or spent, so it has no share; as on the screen.
    const isBalance = kind === 'Total' && totalOf(line) !== 'expenditure'
    const values = [
      budgetToDate,
      isIn ? actualToDate : null,
      isIn ? variance : null,
      isIn ? variancePercentOf(line) : null,
      commitments,
      fullYearBudget,
      isIn && !isBalance ? shareOfYear(actualToDate, fullYearBudget) : null,
      forecast,
      forecastVariance,
    ]
    return {
      kind,
      label: labelOf(line),
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
    ...sentences([
      'Variances: favourable is positive, adverse is negative, for income and expenditure alike.',
      ...transferWords(figures),
      ...adjustmentsIn(figures),
      ...(figures.monthsIn.includes(month.month)
        ? []
        : [`Actuals of ${monthWords(month)} are not in${figures.place ? '' : ' at every school'}.`]),
      ...missingOf.monitoring(figures),
    ]),
  ]
}

function explanations({ figures, remarks, due }: PackContent): PackBlock[] {
  const isIn = hasActuals(figures)
  const rows = figures.lines.flatMap((line): ReportRow[] => {
    const { kind, budgetCodeId, variance } = line
    if (kind !== 'Data' || budgetCodeId === null) return []
    const remark = remarks.find((one) => one.budgetCodeId === budgetCodeId)
    const needs = due.find((one) => one.budgetCodeId === budgetCodeId)?.needs
    if (!remark && !needs) return []
    const written = [remark?.note ?? 'No reason yet', remark?.action ?? (needs ? 'No action yet' : '')]
    return [row(labelOf(line), [isIn ? variance : null, isIn ? variancePercentOf(line) : null, ...written], { missing: 0 })]
  })
  if (!rows.length) return [{ kind: 'text', text: 'No line is over the threshold, and none was explained.' }]
  return [
    {
      kind: 'table',
      report: table(
        'Lines explained',
        [
          ['Variance to date (+ favourable)', 'money'],
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
        figures.year === null ? 'Contracts' : `Contracts of ${figures.year}`,
        [
          ['Contracts', 'number'],
          ['FTE', 'number'],
          ['Budgeted cost', 'money'],
        ],
        groups.map(({ name, isTotal, contracts, fte, cost }) => row(name, [contracts, fte, cost], isTotal ? { kind: 'Total' } : {})),
      ),
    },
    ...sentences(missingOf.staffing(figures)),
    { kind: 'text', text: 'Groups of fewer than three contracts are told together, so that nobody’s pay can be worked out.' },
  ]
}

function cash({ figures }: PackContent): PackBlock[] {
  const { cash: own } = figures
  if (!own?.months.length) return [{ kind: 'text', text: 'There is no cash forecast of these budgets.' }]
  const lowest = lowestOf(figures)
  const { floor } = own
  const said = lowest
    ? `Lowest in ${monthWords(lowest)}: ${displayWholePounds(lowest.closing)}${
        floor === null
          ? ''
          : lowest.closing < floor
            ? `, ${displayWholePounds(floor - lowest.closing)} below the floor of ${displayWholePounds(floor)}`
            : `, not below the floor of ${displayWholePounds(floor)}`
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
    ...sentences(missingOf.cash(figures)),
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
          of(figures.place ? 'Income' : 'Income before pools and top slices', 'income'),
          of('Staff expenditure', 'staff'),
          of('In-year balance without capital', 'inYear', { kind: 'Total' }),
          of('Reserve at the end without capital', 'reserve', { kind: 'Total' }),
        ],
      ),
    },
    ...sentences(missingOf.years(figures)),
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
          ['In-year balance without capital % of income', 'percent'],
          ['Reserve without capital % of income', 'percent'],
          ['Pupils', 'number'],
          ['Income per pupil', 'money'],
        ],
        figures.years.map((year) => {
          const { income, staff, inYear, reserve, pupils, name } = year
          // A missing part makes the measure empty, not nothing (rules.md §20).
          return row(name, [shareIn(staff, income), shareIn(inYear, income), shareIn(reserve, income), pupils, incomePerPupil(year)], {
            missing: 0,
          })
        }),
      ),
    },
    ...sentences(missingOf.years(figures)),
    ...(figures.comparators ? besideOthers(figures.comparators) : []),
  ]
}

/** The measures of a school beside its comparators, in words that judge nothing. */
function besideOthers({ year, rows, note }: PackComparators): PackBlock[] {
  const columns: ReportColumn[] = [
    { key: 'own', title: year, type: 'percent' },
    { key: 'comparators', title: 'Among comparators', type: 'text' },
    { key: 'median', title: 'Median of comparators', type: 'percent' },
  ]
  return [
    {
      kind: 'table',
      report: {
        title: 'Beside comparators',
        columns,
        rows: rows.map(({ label, type, own, place, median }) => row(label, [own, place, median], { type, missing: 0 })),
        notCalculated: 0,
        bases: columns.map(() => ({ income: null, pupils: null })),
      },
    },
    { kind: 'text', text: note },
  ]
}

function decisions({ words, figures }: PackContent): PackBlock[] {
  if (!words.decisions.length) return [{ kind: 'text', text: 'No decision is asked for.' }]
  return words.decisions.map((text, index) => ({ kind: 'text', text: `${index + 1}. ${withFigures(text, figures)}` }))
}
