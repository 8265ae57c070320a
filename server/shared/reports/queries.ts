import { mergeFewPeopleInReport } from '../../../domain/reports/codesOfFewPeople.ts'
import type { ReportFacts } from '../../../domain/reports/facts.ts'
import { buildMeasuresReport } from '../../../domain/reports/measures/measuresReport.ts'
import type { BudgetWithOutdatedCosts } from '../../../domain/reports/outdatedCosts.ts'
import { buildPupilNumbersReport } from '../../../domain/reports/pupilNumbers.ts'
import { type ReportDeclaration, type ReportName, reports } from '../../../domain/reports/registry.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { buildStaffingReport } from '../../../domain/reports/staffing.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import { DomainError, invalid } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { findCombinedCodes, findHiddenCodings, readHiddenCodes, selectsPartOfPay } from '../fewPeople/queries.ts'
import { readReturnFacts } from './forecastReturn/queries.ts'
import { readMeasureFacts } from './measures/queries.ts'
import { readMoneyFactsByLocation } from './money/queries.ts'
import { readPupilFacts } from './pupils/queries.ts'
import {
  buildLineFilterCondition,
  checkLineFilters,
  createNoBudgetError,
  findComparedScope,
  findOutdatedCosts,
  hasLineFilters,
  type ReportedScope,
  type ReportReader,
  type ReportRequest,
  readScope,
} from './scopes/queries.ts'
import { filterStaffFacts, readStaffFacts } from './staff/queries.ts'

/** The request of any report. */
export interface AnyReportRequest extends ReportRequest {
  /** The budgets to compare, in place of one budget or group. */
  budgetIds?: BudgetId[] | null
}

/** A report with its budgets, and the budgets among them with outdated costs. */
export interface BuiltReport {
  report: Report
  scope: ReportedScope
  older: (BudgetWithOutdatedCosts & { locationId: LocationId })[]
}

/**
 * A report over the budgets that the caller may see; whole pennies.
 * @param isNamed whether the caller may know what one person costs
 * @throws DomainError as `readScope`
 */
export async function buildReport(
  call: Call & ReportReader,
  name: ReportName,
  { request, isNamed }: { request: AnyReportRequest; isNamed: boolean },
): Promise<BuiltReport> {
  const { tx } = call
  await checkLineFilters(tx, call.organisationId, request)
  const isComparison = name === 'budgetComparison'
  if (isComparison && !request.budgetIds) throw invalid([{ field: 'budgetIds', message: 'Choose two to four budgets to compare.' }])
  const scope = isComparison
    ? await findComparedScope(call, assertDefined(request.budgetIds), request.yearNames)
    : await readScope(call, request)
  const report = await buildScope(call, name, { request, scope, isNamed })
  const hasCosts = reports[name].kind !== 'pupils'
  return { report, scope, older: hasCosts ? await findOutdatedCosts(tx, call.organisationId, scope.budgets) : [] }
}

async function buildScope(
  call: Call & ReportReader,
  name: ReportName,
  { request, scope, isNamed }: { request: AnyReportRequest; scope: ReportedScope; isNamed: boolean },
): Promise<Report> {
  const declared: ReportDeclaration = reports[name]
  if (declared.kind === 'money')
    return declared.build(
      declared.title,
      requireSingleRow(await readFactsOfEach(call, [scope], { request, declared, isNamed, isCompared: name === 'budgetComparison' })),
    )
  if (!isNamed && declared.kind !== 'pupils')
    await readHiddenCodes(
      call,
      scope.budgets.map(({ id }) => id),
    )
  if (declared.kind === 'staff') return buildStaffingReport(declared.title, await readStaffFacts(call, scope, { request, isNamed }))
  if (declared.kind === 'measures')
    return buildMeasuresReport(
      declared.title,
      requireSingleRow(await readMeasureFacts(call, { scope, each: [scope] }, { request, isNamed })),
    )
  return buildPupilNumbersReport(declared.title, await readPupilFacts(call, scope, { request, spread: declared.spread }))
}

/**
 * The data of money reports. The forecast return also needs data from outside its budgets. Pay that would reveal what one or two people
 * earn is shown separately only for callers who may see staff.
 * @throws DomainError as `readHiddenCodes`; 403 if the filters select part of the pay of a code
 */
async function readFactsOfEach(
  call: Call & ReportReader,
  each: readonly ReportedScope[],
  {
    request,
    declared,
    isNamed,
    isCompared = false,
  }: { request: AnyReportRequest; declared: Extract<ReportDeclaration, { kind: 'money' }>; isNamed: boolean; isCompared?: boolean },
): Promise<ReportFacts[]> {
  const facts = await (declared.mapping === 'bfr' ? readReturnFacts : readMoneyFactsByLocation)(call, each, { request, asking: declared })
  if (isNamed) return facts
  const completedFacts: ReportFacts[] = []
  for (const [index, { budgets }] of each.entries()) {
    const budgetIds = budgets.map(({ id }) => id)
    const beside = isCompared ? await findCombinedCodes(call, budgetIds) : []
    const codes = new Set([...(await readHiddenCodes(call, budgetIds)), ...beside])
    if (hasLineFilters(request) && (await selectsPartOfPay(call, budgetIds, { codes, narrowed: buildLineFilterCondition(request) })))
      throw new DomainError('forbidden', 'fewPeople', fewSentence)
    const centres = declared.byCentre ? await findHiddenCodings(call, budgetIds, { by: 'costCentre', codes }) : null
    const scopeFacts = assertDefined(facts[index])
    completedFacts.push(
      declared.mapping === 'bfr'
        ? { ...scopeFacts, hiddenCodes: codes }
        : mergeFewPeopleInReport(scopeFacts, { codes, centres, isMapped: declared.mapping !== null }),
    )
  }
  return completedFacts
}

const fewSentence =
  'Your selection covers only part of the pay on a budget code, and would reveal what fewer than three people are paid. Choose other codes, centres, funds or tags, or ask someone who can view staff.'

/** The same report for each location of a scope, for separate sheets or files, read together for any number of locations. */
export async function buildReportsByLocation(
  call: Call & ReportReader,
  name: ReportName,
  { request, scope, isNamed }: { request: AnyReportRequest; scope: ReportedScope; isNamed: boolean },
): Promise<{ location: { id: LocationId; name: string }; report: Report }[]> {
  const locations = [...new Map(scope.budgets.map(({ location }) => [location.id, location])).values()]
  if (!locations.length) throw createNoBudgetError()
  const each = locations.map(({ id }) => ({ ...scope, budgets: scope.budgets.filter((one) => one.location.id === id) }))
  const declared: ReportDeclaration = reports[name]
  if (!isNamed && (declared.kind === 'staff' || declared.kind === 'measures'))
    await readHiddenCodes(
      call,
      scope.budgets.map(({ id }) => id),
    )
  const buildEach = async (): Promise<Report[]> => {
    if (declared.kind === 'money')
      return (await readFactsOfEach(call, each, { request, declared, isNamed })).map((facts) => declared.build(declared.title, facts))
    if (declared.kind === 'staff') {
      const facts = await readStaffFacts(call, scope, { request, isNamed })
      return each.map(({ budgets }) => buildStaffingReport(declared.title, filterStaffFacts(facts, new Set(budgets.map((one) => one.id)))))
    }
    if (declared.kind === 'measures') {
      const facts = await readMeasureFacts(call, { scope, each }, { request, isNamed })
      return facts.map((locationFacts) => buildMeasuresReport(declared.title, locationFacts))
    }
    const facts = await readPupilFacts(call, scope, { request, spread: declared.spread })
    return locations.map(({ id }) =>
      buildPupilNumbersReport(declared.title, { ...facts, budgets: facts.budgets.filter((one) => one.location.id === id) }),
    )
  }
  const all = await buildEach()
  return locations.map(({ id, name: locationName }, index) => ({ location: { id, name: locationName }, report: assertDefined(all[index]) }))
}
