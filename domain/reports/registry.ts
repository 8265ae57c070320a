import { buildBudgetAnalysis } from './budgetAnalysis.ts'
import { buildCostCentreAnalysis } from './costCentreAnalysis.ts'
import type { ReportFacts, ReportSpread } from './facts.ts'
import type { Report } from './report.ts'
import { buildBudgetForecastReturn } from './returns/budgetForecastReturn.ts'
import { buildCfrReturn } from './returns/cfrReturn.ts'
import { buildStakeholderSummary } from './stakeHolder.ts'
import { buildTrialBudget } from './trialBudget.ts'

interface MoneyReport {
  kind: 'money'
  title: string
  about: string
  spread: ReportSpread
  /** Whether rows are by cost centre. */
  byCentre: boolean
  /** A fixed grouping of rows; null if the user chooses. */
  mapping: ReportMapping | null
  /** Whether to read monthly figures even though the columns are years. */
  hasMonths: boolean
  build: (title: string, facts: ReportFacts) => Report
}

/** The return or chart of accounts that budget codes map to. */
export type ReportMapping = 'bfr' | 'cfr' | 'acoa'

interface OtherReport {
  kind: 'pupils' | 'staff' | 'measures'
  title: string
  about: string
  spread: 'years' | 'locations'
}

export type ReportDeclaration = MoneyReport | OtherReport

const money = (
  title: string,
  { about, spread, build, byCentre = false }: { about: string; spread: ReportSpread; build: MoneyReport['build']; byCentre?: boolean },
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

/** Declares a return or ledger file, with a row for each line that codes are mapped to. */
const declareMappedReport = (
  title: string,
  { about, spread, mapping, build }: { about: string; spread: ReportSpread; mapping: ReportMapping; build: MoneyReport['build'] },
): MoneyReport => ({
  ...money(title, { about, spread, build }),
  mapping,
  hasMonths: mapping === 'bfr',
})

/** All reports, in the order in which they are offered (rules.md §19). Screens, files and API are derived from this list. */
export const reports = {
  budgetAnalysis: money('Budget analysis', {
    about: 'Income and expenditure by code, balances, a column for each year',
    spread: 'years',
    build: buildBudgetAnalysis,
  }),
  profileBudgetAnalysis: money('Profiled budget analysis', {
    about: 'The same month by month, for one year',
    spread: 'months',
    build: buildBudgetAnalysis,
  }),
  budgetAnalysisByLocation: money('Budget analysis by location', {
    about: 'One year, a column for each location',
    spread: 'locations',
    build: buildBudgetAnalysis,
  }),
  budgetAnalysisBySingleLocation: money('Budget analysis, location by location', {
    about: 'A section for each location, a column for each year',
    spread: 'eachLocation',
    build: buildBudgetAnalysis,
  }),
  costCentreAnalysis: money('Cost centre analysis', {
    about: 'Income and expenditure of each cost centre',
    spread: 'years',
    build: buildCostCentreAnalysis,
    byCentre: true,
  }),
  costCentreAnalysisByLocation: money('Cost centre analysis by location', {
    about: 'One year, a column for each location',
    spread: 'locations',
    build: buildCostCentreAnalysis,
    byCentre: true,
  }),
  costCentreAnalysisBySingleLocation: money('Cost centre analysis, location by location', {
    about: 'A section for each location, a column for each year',
    spread: 'eachLocation',
    build: buildCostCentreAnalysis,
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
    about: 'Two to four budgets, with each one’s difference from the first',
    spread: 'budgets',
    build: buildBudgetAnalysis,
  }),
  stakeHolder: money('Stakeholder summary', {
    about: 'Six figures, also as a share of income and per pupil',
    spread: 'years',
    build: buildStakeholderSummary,
  }),
  stakeHolderByLocation: money('Stakeholder summary by location', {
    about: 'One year, a column for each location',
    spread: 'locations',
    build: buildStakeholderSummary,
  }),
  measures: {
    kind: 'measures',
    title: 'Measures',
    about: 'Shares of income and expenditure, figures per pupil, ratios and balances by year',
    spread: 'years',
  },
  budgetForecastReturn: declareMappedReport('Budget Forecast Return', {
    about: 'A keying sheet in £000 with both halves of each year: actuals, then the forecast, compared with the last return',
    spread: 'years',
    mapping: 'bfr',
    build: buildBudgetForecastReturn,
  }),
  cfrReturn: declareMappedReport('CFR return', {
    about: 'Consistent Financial Reporting lines and balances, for maintained schools',
    spread: 'years',
    mapping: 'cfr',
    build: buildCfrReturn,
  }),
  trialBudget: declareMappedReport('Trial budget', {
    about: 'Debits and credits by ledger account, month by month, for import into the ledger',
    spread: 'months',
    mapping: 'acoa',
    build: buildTrialBudget,
  }),
} as const satisfies Record<string, ReportDeclaration>

export type ReportName = keyof typeof reports
