/**
 * Calls that only look, go through many rows and are read as a whole: reports, the overview, what is analysed beside the actuals, budgets
 * compared or folded, and files of them. Whatever a person changes next is not among them, so that editors never wait for a second database.
 */
const reports = new RegExp(
  [
    /^(reports|overview)\./,
    /^monitoring\.((actuals|forecast)ByLocation|budgetsVs\w+|past(Actuals|Forecast)|trackRecord|cash\.forecast)$/,
    /^moments\.(at|bridge|compare|compareFile)$/,
    /^scenarios\.award$/,
    /^payroll\.report\.workbook(Console)?$/,
    /^(contractFiles|entryFiles)\.export$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Whether a query may be read from the database that follows the first. */
export function isReport(procedure: string): boolean {
  return reports.test(procedure)
}
