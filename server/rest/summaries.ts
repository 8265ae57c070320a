import { defaultTerms, type TermKey } from '../../domain/terms.ts'
import type { RestMeta } from '../core/calls/procedures.ts'

/** What the calls that many entities have are for: `one` and `many` are its terms. */
const common: Record<string, string> = {
  list: 'List many',
  get: 'Read a one',
  create: 'Add a one',
  update: 'Change a one',
  save: 'Add or change a one',
  delete: 'Delete a one',
  bulkDelete: 'Delete several many',
  import: 'Import many',
  edit: 'Change the same fields of several many',
  export: 'Export many',
}

/** What the calls that stand alone are for. */
const single: Record<string, string> = {
  'apiClients.revoke': 'Take a client its access, for good',
  'apiClients.rotate': 'Give a client a new secret',
  'budgetRound.deleteMany': 'Delete several budgets',
  'budgetRound.duplicate': 'Make a copy of a budget',
  'budgetRound.duplicateMany': 'Make copies of several budgets',
  'budgetRound.editElements': 'Change the tables that several budgets are costed with',
  'budgetRound.editMany': 'Change the same fields of several budgets',
  'budgetRound.fillAgain': 'Try again to fill a budget from its source',
  'budgetRound.lockMany': 'Lock or unlock several budgets',
  'budgetRound.rollForward': 'Roll budgets forward by a year',
  'budgetSummaries.contractTypes': 'List the contract types of budgets',
  'budgetSummaries.customSupportPayScales': 'List the points of the custom support pay scales of a budget, by the day from which they hold',
  'budgetSummaries.customTeacherPayScales': 'List the points of the custom teacher pay scales of a budget, by the day from which they hold',
  'budgetSummaries.erPension': 'List the employer pension rates of a budget, by the day from which they hold',
  'budgetSummaries.extendedLeave': 'List the extended leave types of a budget, by the day from which they hold',
  'budgetSummaries.fundingRates': 'List the funding rates of a budget, by the day from which they hold',
  'budgetSummaries.inflation': 'List the pay awards of a budget, by the day from which they hold',
  'budgetSummaries.nationalInsurance': 'List the national insurance bands of a budget, by the day from which they hold',
  'budgetSummaries.supportPayScales': 'List the points of the support pay scales of a budget, by the day from which they hold',
  'budgetSummaries.teacherPayScales': 'List the points of the teacher pay scales of a budget, by the day from which they hold',
  'budgets.elements': 'Read what a budget is costed with',
  'budgets.listByLocation': 'List the budgets of some locations',
  'budgets.lock': 'Lock or unlock a budget',
  'budgets.template': 'Read what a new budget would begin with',
  'calculations.process': 'Post what a calculation comes to as an entry',
  'codes.centre': 'Read a cost centre as budgets see it',
  'codes.centres': 'List the cost centres that budgets see',
  'codes.codes': 'List the budget codes that budgets see',
  'codes.editCentres': 'Change the same fields of several cost centres',
  'codes.exportCentres': 'Export the cost centres that budgets see',
  'codes.exportCodes': 'Export the budget codes that budgets see',
  'codes.saveWord': 'Change what a location calls a budget code',
  'codes.updateCentre': 'Change a cost centre',
  'codes.word': 'Read what a location calls a budget code',
  'codes.words': 'List what a location calls its budget codes',
  'communications.article': 'Read a help article by its short name',
  'contracts.duplicate': 'Read a copy of a contract that is not saved yet',
  'contracts.forecast': 'Read what a contract costs, month by month, and why',
  'entries.bulkUpdate': 'Change the same fields of several budget entries',
  'entries.process': 'Post an entry of worked-out years',
  'files.fetch': 'Read a file that was made for who calls',
  'funding.calculations': 'List the rules of a prediction, or its rows worked out',
  'funding.versions': 'List the tables of funding rates that predictions can be made with',
  'groups.byBudget': 'Read the group of a budget',
  'groups.items': 'Change the order and the budgets of a group',
  'groups.names': 'List the names of budget groups',
  'groups.recalculate': 'Recalculate the budgets of a group',
  'groups.required': 'Read whether a group has to be recalculated, and why',
  'images.upload': 'Add a picture',
  'incomeAndExpenditure.duplicateInflation': 'Make a copy of price rises',
  'incomeAndExpenditure.profileTemplate': 'Read a profile template as budgets see it',
  'incomeAndExpenditure.profileTemplates': 'List the profile templates that budgets see',
  'leave.listByStaff': 'List the extended leave of a person',
  'lookups.adminTables': 'List the active admin tables of a type',
  'lookups.benchmarkingGroups': 'List the names of benchmarking groups',
  'lookups.bfrCodes': 'List the BFR codes of some types',
  'lookups.expenditureCodes': 'List the budget codes of expenditure',
  'lookups.exportLocations': 'Export the locations of all organisations',
  'lookups.financialCodes': 'List the financial reporting codes of a type',
  'lookups.incomeCodes': 'List the budget codes of income',
  'lookups.inflationRates': 'List the rates of price rises',
  'lookups.isExpenditure': 'Read whether a budget code is one of expenditure',
  'lookups.isIncome': 'Read whether a budget code is one of income',
  'lookups.leaveTypes': 'List the names of extended leave types',
  'lookups.levySettings': 'Read how the levy is worked out',
  'lookups.localAuthorities': 'List the local authorities of some locations',
  'lookups.locationNames': 'List the names of the locations of an organisation',
  'lookups.locationsOf': 'List the locations of an organisation',
  'lookups.nationalPoints': 'List the national pay scale points',
  'quickCalculator.contractTypes': 'List the contract types of a kind of pay scale',
  'quickCalculator.scalePoints': 'List the pay scale points of a contract type',
  'quickCalculator.types': 'List the kinds of pay scale',
  'payroll.report.workbook': 'Read the report of a month of payroll that is signed, as a workbook',
  'payroll.report.workbookConsole': 'Read the report of a month of payroll of the whole organisation, as a workbook',
  'payroll.report.paper': 'Ask for the report of a month of payroll that is signed, as PDF, which a worker makes',
  'payroll.report.paperConsole': 'Ask for the report of a month of payroll of the whole organisation, as PDF, which a worker makes',
  'recalculating.required': 'Read whether a budget has to be recalculated, and why',
  'recalculating.start': 'Recalculate a budget',
  'reminders.byMonth': 'List the reminders that are due in a month',
  'reports.budgetAnalysis': 'Report income, expenditure and balances of budgets, year by year',
  'reports.budgetAnalysisByLocation': 'Report one year of budgets, location beside location',
  'reports.budgetAnalysisBySingleLocation': 'Report the years of budgets, location after location',
  'reports.budgetComparison': 'Report two to four budgets beside each other',
  'reports.budgetYears': 'List the years that budgets have in common',
  'reports.costCentreAnalysis': 'Report what cost centres bring and cost, year by year',
  'reports.costCentreAnalysisByLocation': 'Report what cost centres bring and cost, location beside location',
  'reports.costCentreAnalysisBySingleLocation': 'Report what cost centres bring and cost, location after location',
  'reports.csv': 'Read a report as a file of rows',
  'reports.glance': 'List every location with its years, its state and what is said of it',
  'reports.lines': 'List the lines that a figure of a report is the sum of',
  'reports.paper': 'Ask for a report as PDF, which a worker makes',
  'reports.profileBudgetAnalysis': 'Report one year of budgets, month by month',
  'reports.profileBudgetAnalysisExport': 'Read one year of budgets, month by month, as a file for each location',
  'reports.pupilNumbers': 'Report pupil numbers, October by October',
  'reports.pupilNumbersByLocation': 'Report pupil numbers, location beside location',
  'reports.staffing': 'Report contracts and what they cost',
  'reports.stakeHolder': 'Report budgets in six figures, year by year',
  'reports.stakeHolderByLocation': 'Report budgets in six figures, location beside location',
  'reports.workbook': 'Read a report as a workbook',
  'staff.erase': 'Erase who a person is, for good; what they cost stays',
  'staff.exportByLocation': 'Export the staff of a location',
  'staff.listByLocation': 'List the staff of a location',
  'startup.authorisation': 'Read who is signed in, and what they may do',
  'startup.recalculationEvent': 'Read how the last recalculation stands',
  'startup.recalculationLocked': 'Read what is being recalculated',
  'startup.roles': 'List the user groups of who is signed in',
  'startup.types': 'List what choices can be chosen from',
  'startup.user': 'Read the name of a user',
  'startup.version': 'Read which version of the product answers',
  'terms.dictionary': 'Read what the organisation calls things',
}

/** One line that says what a call does. */
export function summaryOf(procedure: string, { entity }: RestMeta): string {
  const own = single[procedure]
  if (own) return own
  const { singular, plural } =
    entity && entity in defaultTerms ? defaultTerms[entity as TermKey] : { singular: 'client', plural: 'clients' }
  const words = common[procedure.slice(procedure.lastIndexOf('.') + 1)] ?? 'Work on many'
  return words.replace(/\ba one$/, withArticle(lowered(singular))).replace(/\bmany$/, lowered(plural))
}

function withArticle(term: string): string {
  return `${/^[aeiou]/i.test(term) && !/^u(ser|ni)/i.test(term) ? 'an' : 'a'} ${term}`
}

/** Names keep their capitals: BFR code, not bFR code. */
function lowered(term: string): string {
  return /^[A-Z][a-z]/.test(term) ? term[0]!.toLowerCase() + term.slice(1) : term
}
