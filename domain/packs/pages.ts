import { divideRounded } from '../monitoring/figures.ts'
import { type CalendarMonth, formatMonth } from '../monitoring/monitoring.ts'
import { calculateShare } from '../reports/measures/measures.ts'
import type { Report, ReportColumn, ReportRow } from '../reports/report.ts'
import type { YearChart } from '../reports/yearChart.ts'
import { formatPeriodMonth } from '../values/calendar.ts'
import { displayCount, displaySignedPounds, displayWholePounds } from '../values/format.ts'
import { numberOrNull } from '../values/unknownValues.ts'
import {
  calculateIncomePerPupil,
  figureReferences,
  findLowestCashMonth,
  hasActuals,
  identifyTotal,
  insertFigures,
} from './figureReferences.ts'
import { buildCharts, describeOutturn, type Headline, listHeadlines } from './headlines.ts'
import {
  type Chapter,
  chapterTitles,
  type PackComparators,
  type PackFigures,
  type PackLine,
  type PackRemark,
  type PackTexts,
} from './pack.ts'

/** The content of a chapter, from top to bottom. Tables are reports in whole pennies. */
export type PackBlock<Table = Report> =
  | { kind: 'text'; text: string }
  /** The figures of the first page, and a sentence that sums them up. */
  | { kind: 'headlines'; headlines: Headline[]; sentence: string }
  | { kind: 'chart'; chart: YearChart }
  | { kind: 'facts'; facts: [name: string, value: string][] }
  | { kind: 'table'; report: Table }
  | { kind: 'signatures'; roles: { role: string; name: string | null }[] }

export interface PackPage<Table = Report> {
  chapter: Chapter
  title: string
  blocks: PackBlock<Table>[]
}

export interface PackContent {
  month: CalendarMonth
  chapters: readonly Chapter[]
  words: PackTexts
  figures: PackFigures
  remarks: readonly PackRemark[]
  /** Codes over the threshold that are not fully explained; empty in a finished pack. */
  due: readonly { budgetCodeId: number; needs: 'reason' | 'action' }[]
  before: { month: CalendarMonth; figures: PackFigures } | null
}

type Cell = number | string | null

function buildTable(title: string, columns: readonly [title: string, type: ReportColumn['type']][], rows: readonly ReportRow[]): Report {
  return {
    title,
    columns: columns.map(([name, type], index) => ({ key: `pack ${index}`, title: name, type })),
    rows: [...rows],
    notCalculated: 0,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}

/** Builds a row. A null value means that it could not be calculated. */
function buildRow(label: string, values: Cell[], more: Partial<ReportRow> = {}): ReportRow {
  return { kind: 'Data', label, values, drill: null, level: 0, missing: values.includes(null) ? 1 : 0, ...more }
}

/** Whether the monitoring table prints each reason and action below the line that it explains. */
export const areReasonsBesideLines = (chapters: readonly Chapter[]): boolean =>
  chapters.includes('monitoring') && chapters.includes('explanations')

/** Builds the pages of a pack, which are shown, printed and compared. A chapter without content has no page. */
export function buildPages(content: PackContent): PackPage[] {
  return content.chapters.flatMap((chapter) => {
    const { texts } = content.words
    const written = insertFigures(texts[chapter] ?? '', content.figures).trim()
    const blocks = [...textBlocks(written ? [written] : []), ...blocksByChapter[chapter](content)]
    return blocks.length ? [{ chapter, title: chapterTitles[chapter], blocks }] : []
  })
}

const blocksByChapter: Record<Chapter, (content: PackContent) => PackBlock[]> = {
  cover,
  summary: buildSummary,
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
      : [{ kind: 'text', text: 'There are no signatories.' }],
}

const maximumNamed = 12

function listNames(all: readonly string[], thing: string): string {
  const named = all.slice(0, maximumNamed).join('; ')
  return all.length > maximumNamed ? `${named} and ${displayCount(all.length - maximumNamed, `other ${thing}`)}` : named
}

function cover({ month, figures, before, chapters }: PackContent): PackBlock[] {
  const { place, budgets, leftOut, threshold, year, period, schools, monthsIn } = figures
  const { explainOver, explainOverPercent, explainAlwaysOver } = threshold
  return [
    { kind: 'headlines', headlines: listHeadlines(figures), sentence: describeOutturn(figures) },
    ...buildCharts(figures).map((chart) => ({ kind: 'chart' as const, chart })),
    {
      kind: 'facts',
      facts: [
        place
          ? ['School', `${place.name}${place.dfeNumber ? ` (DfE number ${place.dfeNumber})` : ''}`]
          : ['Schools', schools === 1 ? '1 school' : `All ${displayCount(schools, 'school')}`],
        [
          'Month',
          `${period === null ? '' : `P${period} `}${formatMonth(month)}${year === null ? ', budget years that begin in different months' : `, budget year ${year}`}`,
        ],
        [
          place ? 'Actuals received' : 'Actuals received from every school',
          monthsIn.map((one) => formatPeriodMonth(one, 1)).join(', ') || 'None',
        ],
        [
          budgets.length === 1 ? 'Budget' : 'Budgets',
          new Set(budgets.map(({ words }) => words)).size === 1 && budgets[0]
            ? `${budgets[0].words}${budgets.length > 1 ? ', at each school' : ''}`
            : listNames(
                budgets.map(({ location, words }) => `${place ? '' : `${location}: `}${words}`),
                'budget',
              ),
        ],
        ...(leftOut.length ? [['Left out', `${listNames(leftOut, 'school')}: no budget for this month`] satisfies [string, string]] : []),
        [
          'Lines explained',
          `Over ${displayWholePounds(explainOver)} and ${explainOverPercent}%, or over ${displayWholePounds(explainAlwaysOver)} at any percentage`,
        ],
        ...(before ? [['Compared with', `The pack for ${formatMonth(before.month)}`] satisfies [string, string]] : []),
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

/** Keys of the figures at the top of a pack, which governors ask for first. */
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
 * Builds the summary: what changed since the last pack, and the figures that cannot be compared. If the packs are of different budget
 * years, only figures that name their year are compared, because monitoring, contracts and cash cover other months.
 */
function buildSummary({ month, figures, before }: PackContent): PackBlock[] {
  const isOtherYear = before !== null && (figures.year === null || before.figures.year !== figures.year)
  const compared: ReportRow[] = []
  const alone: ReportRow[] = []
  const chosen = figureReferences
    .filter((one) => keyFigures.includes(one.key))
    .sort((a, b) => keyFigures.indexOf(a.key) - keyFigures.indexOf(b.key))
  for (const { label, read, isByYear } of chosen) {
    const now = numberOrNull(read(figures))
    const isComparable = before !== null && (isByYear || !isOtherYear)
    const was = isComparable ? numberOrNull(read({ ...before.figures, year: figures.year })) : null
    if (now !== null && was !== null) compared.push(buildRow(label, [now, was, now - was]))
    // A figure that only one pack has is listed without a comparison. If this pack lacks it, its row is empty.
    else if (now !== null || was !== null) alone.push(buildRow(label, [now]))
  }
  const tables: Report[] = []
  if (before && compared.length)
    tables.push(
      buildTable(
        'What changed',
        [
          [formatMonth(month), 'money'],
          [formatMonth(before.month), 'money'],
          ['Change', 'money'],
        ],
        compared,
      ),
    )
  if (alone.length) tables.push(buildTable('Key figures', [[formatMonth(month), 'money']], alone))
  return [
    ...tables.map((report) => ({ kind: 'table' as const, report })),
    ...(before && isOtherYear
      ? textBlocks([
          `${
            figures.year === null
              ? 'These budgets begin their years in different months'
              : `The pack for ${formatMonth(before.month)} is for another budget year`
          }: figures to date, forecasts, contracts and cash are not compared.`,
        ])
      : []),
    ...textBlocks(describeAllMissing(figures)),
    ...textBlocks(figures.warnings),
  ]
}

const textBlocks = (all: readonly string[]): PackBlock[] => all.map((text) => ({ kind: 'text', text }))

const missingByChapter = {
  monitoring: ({ lines }: PackFigures): string[] =>
    describeMissing(
      lines.reduce((sum, line) => sum + (line.kind === 'Data' ? line.missing : 0), 0),
      'in the budget',
    ),
  staffing: ({ staffing: groups }: PackFigures): string[] => {
    const count = groups?.find((one) => one.isTotal)?.missing ?? 0
    return count
      ? [`${displayCount(count, 'contract')} could not be fully calculated and ${count === 1 ? 'is' : 'are'} not in the cost.`]
      : []
  },
  cash: ({ cash: own }: PackFigures): string[] =>
    describeMissing(Math.max(0, ...(own?.months ?? []).map((one) => one.missing ?? 0)), 'in the cash forecast'),
  years: ({ years }: PackFigures): string[] => years.flatMap(({ name, missing = 0 }) => describeMissing(missing, `of ${name}`)),
}

function describeMissing(count: number, of: string): string[] {
  return count
    ? [`${displayCount(count, 'monthly figure')} ${of} could not be calculated and ${count === 1 ? 'is' : 'are'} not in any total.`]
    : []
}

const describeAllMissing = (figures: PackFigures): string[] => Object.values(missingByChapter).flatMap((of) => of(figures))

/** The label of a row. The staff codes lack some staff costs that the table of years has, so they are not called “staff expenditure”. */
function labelLine(line: PackLine): string {
  if (identifyTotal(line) === 'staff') return 'Total staff codes'
  const { kind, code, description } = line
  if (kind === 'SectionHeader' && description === 'Staff expenditure') return 'Staff codes'
  return code ? `${code} ${description}` : description
}

/** The part of the year's budget that has been received or spent, in per cent with one decimal. */
const calculateShareOfYear = (actual: number, budget: number): number | null =>
  budget === 0 ? null : divideRounded(actual * 1000, budget) / 10

/** The variance in per cent of the budget to date, with one decimal; null if there was no budget. */
const calculateVariancePercent = ({ variance, variancePercent, budgetToDate }: PackLine): number | null =>
  variancePercent === null ? null : calculateShare(variance, budgetToDate)

/** Describes manual adjustments, which the variances include. */
function describeAdjustments({ lines }: PackFigures): string[] {
  const named = lines.flatMap((line) => {
    const { adjustmentToDate = 0, adjustmentOfYear = 0 } = line
    const amounts = [
      ...(adjustmentToDate ? [`${displaySignedPounds(adjustmentToDate)} to date`] : []),
      ...(adjustmentOfYear ? [`${displaySignedPounds(adjustmentOfYear)} for the year`] : []),
    ]
    return line.kind === 'Data' && amounts.length ? [`${labelLine(line)} (${amounts.join(', ')})`] : []
  })
  return named.length ? [`Adjustments included in variances and forecasts: ${listNames(named, 'line')}.`] : []
}

function describeTransfers({ place, transfers }: PackFigures): string[] {
  if (place || transfers === 'none') return []
  if (transfers === 'apart')
    return ['Payments between schools are in neither income nor expenditure: they are shown between the two, on a separate line.']
  return [
    transfers
      ? 'GAG pools and top slices on codes that also hold other money are included in income and expenditure here.'
      : 'GAG pools and top slices are included in income and expenditure here.',
  ]
}

/** The reason and action of a line, or what a line over the threshold lacks; null for a line that needs no explanation. */
function findExplanation({ kind, budgetCodeId }: PackLine, { remarks, due }: PackContent): { reason: string; action: string } | null {
  if (kind !== 'Data' || budgetCodeId === null) return null
  const remark = remarks.find((one) => one.budgetCodeId === budgetCodeId)
  const isDue = due.some((one) => one.budgetCodeId === budgetCodeId)
  if (!remark && !isDue) return null
  return { reason: remark?.note ?? 'No reason yet', action: remark?.action ?? (isDue ? 'No action yet' : '') }
}

function monitoring(content: PackContent): PackBlock[] {
  const { figures, month, chapters } = content
  const isIn = hasActuals(figures)
  const hasReasons = areReasonsBesideLines(chapters)
  const rows = figures.lines.flatMap((line): ReportRow[] => {
    const { kind, budgetToDate, actualToDate, variance, commitments, fullYearBudget, forecast, forecastVariance } = line
    const isHeading = kind === 'SectionHeader'
    // Balances are neither received nor spent, so the columns of shares are empty, as on the screen.
    const isBalance = kind === 'Total' && identifyTotal(line) !== 'expenditure'
    const values = [
      budgetToDate,
      isIn ? actualToDate : null,
      isIn ? variance : null,
      isIn ? calculateVariancePercent(line) : null,
      commitments,
      fullYearBudget,
      isIn && !isBalance ? calculateShareOfYear(actualToDate, fullYearBudget) : null,
      forecast,
      forecastVariance,
    ]
    const explanation = hasReasons ? findExplanation(line, content) : null
    const said = explanation
      ? [`Reason: ${explanation.reason}`, ...(explanation.action ? [`Action: ${explanation.action}`] : [])].join('\n')
      : null
    const shown = { kind, level: kind === 'Data' ? 1 : 0, missing: 0 }
    return [
      buildRow(labelLine(line), isHeading ? values.map(() => null) : values, shown),
      ...(said
        ? [
            buildRow(
              said,
              values.map(() => null),
              { kind: 'Empty', level: 2, missing: 0 },
            ),
          ]
        : []),
    ]
  })
  return [
    {
      kind: 'table',
      report: buildTable(
        'Budget and forecast',
        [
          ['Budget to date', 'money'],
          ['Actual to date', 'money'],
          ['Variance to date', 'money'],
          ['Variance %', 'percent'],
          ['Commitments', 'money'],
          ['Full-year budget', 'money'],
          ['% received or spent', 'percent'],
          ['Full-year forecast', 'money'],
          ['Full-year variance', 'money'],
        ],
        rows,
      ),
    },
    ...textBlocks([
      'Variances: favourable is positive, adverse is negative, for income and expenditure alike.',
      ...(hasReasons && !rows.some(({ kind }) => kind === 'Empty') ? [noExplanations] : []),
      ...describeTransfers(figures),
      ...describeAdjustments(figures),
      ...(figures.monthsIn.includes(month.month)
        ? []
        : [`${figures.place ? 'There are no' : 'Not every school has'} actuals for ${formatMonth(month)}.`]),
      ...missingByChapter.monitoring(figures),
    ]),
  ]
}

const noExplanations = 'No lines are over the threshold, and no other lines have explanations.'

function explanations(content: PackContent): PackBlock[] {
  const { figures, chapters } = content
  if (areReasonsBesideLines(chapters)) return []
  const isIn = hasActuals(figures)
  const rows = figures.lines.flatMap((line): ReportRow[] => {
    const explanation = findExplanation(line, content)
    if (!explanation) return []
    const { reason, action } = explanation
    return [
      buildRow(labelLine(line), [isIn ? line.variance : null, isIn ? calculateVariancePercent(line) : null, reason, action], {
        missing: 0,
      }),
    ]
  })
  if (!rows.length) return textBlocks([noExplanations])
  return [
    {
      kind: 'table',
      report: buildTable(
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
      report: buildTable(
        figures.year === null ? 'Contracts' : `Contracts in ${figures.year}`,
        [
          ['Contracts', 'number'],
          ['FTE', 'number'],
          ['Budgeted cost', 'money'],
        ],
        groups.map(({ name, isTotal, contracts, fte, cost }) => buildRow(name, [contracts, fte, cost], isTotal ? { kind: 'Total' } : {})),
      ),
    },
    ...textBlocks(missingByChapter.staffing(figures)),
    { kind: 'text', text: 'Groups of fewer than three contracts are combined, so that nobody’s pay can be worked out.' },
  ]
}

function cash({ figures }: PackContent): PackBlock[] {
  const { cash: own } = figures
  if (!own?.months.length) return [{ kind: 'text', text: 'There is no cash forecast for these budgets.' }]
  const lowest = findLowestCashMonth(figures)
  const { floor } = own
  const lowestSentence = lowest
    ? `Lowest in ${formatMonth(lowest)}: ${displayWholePounds(lowest.closing)}${
        floor === null
          ? ''
          : lowest.closing < floor
            ? `, ${displayWholePounds(floor - lowest.closing)} below the floor of ${displayWholePounds(floor)}`
            : `, not below the floor of ${displayWholePounds(floor)}`
      }.`
    : 'Cash cannot be calculated until every school’s opening cash is entered.'
  return [
    { kind: 'text', text: lowestSentence },
    {
      kind: 'table',
      report: buildTable(
        'Cash by month',
        [
          ['Opening', 'money'],
          ['Receipts', 'money'],
          ['Payments', 'money'],
          ['Closing', 'money'],
        ],
        own.months.map((month) => buildRow(formatMonth(month), [month.opening, month.receipts, month.payments, month.closing])),
      ),
    },
    ...textBlocks(missingByChapter.cash(figures)),
  ]
}

function balances({ figures }: PackContent): PackBlock[] {
  const { years } = figures
  if (!years.length) return [{ kind: 'text', text: 'These budgets have no year in common.' }]
  const yearRow = (label: string, pick: 'income' | 'staff' | 'inYear' | 'reserve', more: Partial<ReportRow> = {}): ReportRow =>
    buildRow(
      label,
      years.map((year) => year[pick]),
      more,
    )
  return [
    {
      kind: 'table',
      report: buildTable(
        'By year, as budgeted',
        years.map(({ name }): [string, ReportColumn['type']] => [name, 'money']),
        [
          yearRow(figures.place ? 'Income' : 'Income before pools and top slices', 'income'),
          yearRow('Staff expenditure', 'staff'),
          yearRow('In-year balance excluding capital', 'inYear', { kind: 'Total' }),
          yearRow('Closing reserve excluding capital', 'reserve', { kind: 'Total' }),
        ],
      ),
    },
    ...textBlocks(missingByChapter.years(figures)),
  ]
}

function measures({ figures }: PackContent): PackBlock[] {
  if (!figures.years.length) return [{ kind: 'text', text: 'These budgets have no year in common.' }]
  return [
    {
      kind: 'table',
      report: buildTable(
        'By year, as budgeted',
        [
          ['Staff, % of income', 'percent'],
          ['In-year balance excluding capital, % of income', 'percent'],
          ['Reserve excluding capital, % of income', 'percent'],
          ['Pupils', 'number'],
          ['Income per pupil', 'money'],
        ],
        figures.years.map((year) => {
          const { income, staff, inYear, reserve, pupils, name } = year
          // A measure is empty, not 0, if a part of it is missing (rules.md §20).
          return buildRow(
            name,
            [
              calculateShare(staff, income),
              calculateShare(inYear, income),
              calculateShare(reserve, income),
              pupils,
              calculateIncomePerPupil(year),
            ],
            {
              missing: 0,
            },
          )
        }),
      ),
    },
    ...textBlocks(missingByChapter.years(figures)),
    ...(figures.comparators ? buildComparatorBlocks(figures.comparators) : []),
  ]
}

/** The measures of a school compared with its comparators, in neutral words. */
function buildComparatorBlocks({ year, rows, note }: PackComparators): PackBlock[] {
  const columns: ReportColumn[] = [
    { key: 'own', title: year, type: 'percent' },
    { key: 'comparators', title: 'Among comparators', type: 'text' },
    { key: 'median', title: 'Median of comparators', type: 'percent' },
  ]
  return [
    {
      kind: 'table',
      report: {
        title: 'Compared with comparators',
        columns,
        rows: rows.map(({ label, type, own, place, median }) => buildRow(label, [own, place, median], { type, missing: 0 })),
        notCalculated: 0,
        bases: columns.map(() => ({ income: null, pupils: null })),
      },
    },
    { kind: 'text', text: note },
  ]
}

function decisions({ words, figures }: PackContent): PackBlock[] {
  if (!words.decisions.length) return [{ kind: 'text', text: 'No decisions are required.' }]
  return words.decisions.map((text, index) => ({ kind: 'text', text: `${index + 1}. ${insertFigures(text, figures)}` }))
}
