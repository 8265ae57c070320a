import { budgetAnalysis } from './budgetAnalysis.ts'
import { costCentreAnalysis } from './costCentreAnalysis.ts'
import type { ReportFacts, Spread } from './facts.ts'
import type { Report } from './report.ts'
import { budgetForecastReturn } from './returns/budgetForecastReturn.ts'
import { cfrReturn } from './returns/cfrReturn.ts'
import { stakeHolder } from './stakeHolder.ts'
import { trialBudget } from './trialBudget.ts'

/** What a report of money is made by, and what stands side by side in it. */
interface MoneyReport {
  kind: 'money'
  title: string
  about: string
  spread: Spread
  /** Whether its rows are told by cost centre. */
  byCentre: boolean
  /** What its rows are put together by, whatever is asked for; null: as it is asked for. */
  mapping: Mapping | null
  /** Whether the months of the lines are read though years stand side by side. */
  hasMonths: boolean
  build: (title: string, facts: ReportFacts) => Report
}

/** What budget codes map to in a return or a ledger. */
export type Mapping = 'bfr' | 'cfr' | 'acoa'

interface OtherReport {
  kind: 'pupils' | 'staff' | 'measures'
  title: string
  about: string
  spread: 'years' | 'locations'
}

export type ReportDeclaration = MoneyReport | OtherReport

const money = (
  title: string,
  { about, spread, build, byCentre = false }: { about: string; spread: Spread; build: MoneyReport['build']; byCentre?: boolean },
): MoneyReport => ({
  kind: 'money',
  title,
  about,
  spread,
  byCentre,
  mapping: null,
  hasMonths: false,
  build,
})

/** A return or what a ledger takes in: its rows are what budget codes map to. */
const mapped = (
  title: string,
  { about, spread, mapping, build }: { about: string; spread: Spread; mapping: Mapping; build: MoneyReport['build'] },
): MoneyReport => ({
  ...money(title, { about, spread, build }),
  mapping,
  hasMonths: mapping === 'bfr',
})

/** Every report, in the order in which it is offered (rules.md §19); screen, files and API come from this list. */
export const reports = {
  budgetAnalysis: money('Budget analysis', {
    about: 'Income and expenditure by code, balances, a column for each year',
    spread: 'years',
    build: budgetAnalysis,
  }),
  profileBudgetAnalysis: money('Profiled budget analysis', {
    about: 'The same month by month, for one year',
    spread: 'months',
    build: budgetAnalysis,
  }),
  budgetAnalysisByLocation: money('Budget analysis by location', {
    about: 'One year, a column for each location',
    spread: 'locations',
    build: budgetAnalysis,
  }),
  budgetAnalysisBySingleLocation: money('Budget analysis, location by location', {
    about: 'A section for each location, a column for each year',
    spread: 'eachLocation',
    build: budgetAnalysis,
  }),
  costCentreAnalysis: money('Cost centre analysis', {
    about: 'What each cost centre brings and costs',
    spread: 'years',
    build: costCentreAnalysis,
    byCentre: true,
  }),
  costCentreAnalysisByLocation: money('Cost centre analysis by location', {
    about: 'One year, a column for each location',
    spread: 'locations',
    build: costCentreAnalysis,
    byCentre: true,
  }),
  costCentreAnalysisBySingleLocation: money('Cost centre analysis, location by location', {
    about: 'A section for each location, a column for each year',
    spread: 'eachLocation',
    build: costCentreAnalysis,
    byCentre: true,
  }),
  pupilNumbers: { kind: 'pupils', title: 'Pupil numbers', about: 'Year groups and phases, a column for each October', spread: 'years' },
  pupilNumbersByLocation: {
    kind: 'pupils',
    title: 'Pupil numbers by location',
    about: 'One October, a column for each location',
    spread: 'locations',
  },
  staffing: { kind: 'staff', title: 'Staffing', about: 'Contracts by payroll code with what each costs', spread: 'years' },
  budgetComparison: money('Budget comparison', {
    about: 'Two to four budgets, and what each has more than the first',
    spread: 'budgets',
    build: budgetAnalysis,
  }),
  stakeHolder: money('Stakeholder summary', {
    about: 'Six figures, also as a share of income and per pupil',
    spread: 'years',
    build: stakeHolder,
  }),
  stakeHolderByLocation: money('Stakeholder summary by location', {
    about: 'One year, a column for each location',
    spread: 'locations',
    build: stakeHolder,
  }),
  measures: {
    kind: 'measures',
    title: 'Measures',
    about: 'Shares of income and expenditure, figures per pupil, ratios and balances by year',
    spread: 'years',
  },
  budgetForecastReturn: mapped('Budget Forecast Return', {
    about: 'A keying sheet in thousands, rounded by line, both halves of each year, actuals and then the forecast, beside the last return',
    spread: 'years',
    mapping: 'bfr',
    build: budgetForecastReturn,
  }),
  cfrReturn: mapped('CFR return', {
    about: 'The lines of consistent financial reporting, with balances, for maintained schools',
    spread: 'years',
    mapping: 'cfr',
    build: cfrReturn,
  }),
  trialBudget: mapped('Trial budget', {
    about: 'Debits and credits by account of the chart of accounts, month by month, for the ledger',
    spread: 'months',
    mapping: 'acoa',
    build: trialBudget,
  }),
} as const satisfies Record<string, ReportDeclaration>

export type ReportName = keyof typeof reports
