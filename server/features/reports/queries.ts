import { invalid } from '../../../domain/errors.ts'
import { pupilNumbers } from '../../../domain/reports/pupilNumbers.ts'
import { type ReportDeclaration, type ReportName, reports } from '../../../domain/reports/registry.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { staffing } from '../../../domain/reports/staffing.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { Who } from '../monitoring/asking/queries.ts'
import { checkNarrowed, comparedOf, noBudget, type ReportRequest, type Scope, scopeOf } from './asking/queries.ts'
import { moneyFacts } from './money/queries.ts'
import { pupilFacts } from './pupils/queries.ts'
import { staffFacts } from './staff/queries.ts'

/** What a report is asked for, whichever it is. */
export interface AskedReport extends ReportRequest {
  /** Of the comparison, in place of the choice of one budget or group. */
  budgetIds?: string[] | null
}

/**
 * A report over what the caller may see; whole pennies.
 * @param isNamed whether the caller may know what one person costs
 * @throws DomainError as `scopeOf`
 */
export async function reportOf(
  tx: OrganisationTx,
  who: Who,
  name: ReportName,
  request: AskedReport,
  isNamed: boolean,
): Promise<{ report: Report; scope: Scope }> {
  await checkNarrowed(tx, who.organisationId, request)
  const isComparison = name === 'budgetComparison'
  if (isComparison && !request.budgetIds) throw invalid([{ field: 'budgetIds', message: 'Choose two to four budgets to compare.' }])
  const scope = isComparison ? await comparedOf(tx, who, request.budgetIds!, request.yearNames) : await scopeOf(tx, who, request)
  return { report: await build(tx, who, name, request, scope, isNamed), scope }
}

async function build(
  tx: OrganisationTx,
  who: Who,
  name: ReportName,
  request: AskedReport,
  scope: Scope,
  isNamed: boolean,
): Promise<Report> {
  const declared: ReportDeclaration = reports[name]
  if (declared.kind === 'money') return declared.build(declared.title, await moneyFacts(tx, who, scope, request, declared))
  if (declared.kind === 'staff') return staffing(declared.title, await staffFacts(tx, who.organisationId, scope, request, isNamed))
  return pupilNumbers(declared.title, await pupilFacts(tx, who.organisationId, scope, request, declared.spread))
}

/** The same report of each location of a scope by itself, for tabs and files of one location each. */
export async function reportsByLocation(
  tx: OrganisationTx,
  who: Who,
  name: ReportName,
  request: AskedReport,
  scope: Scope,
  isNamed: boolean,
): Promise<{ location: { id: number; name: string }; report: Report }[]> {
  const places = [...new Map(scope.budgets.map(({ location }) => [location.id, location])).values()]
  const found: { location: { id: number; name: string }; report: Report }[] = []
  for (const { id, name: place } of places) {
    const own = { ...scope, budgets: scope.budgets.filter((one) => one.location.id === id) }
    found.push({ location: { id, name: place }, report: await build(tx, who, name, request, own, isNamed) })
  }
  if (!found.length) throw noBudget()
  return found
}
