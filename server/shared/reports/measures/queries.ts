import { emptyLessonYear } from '../../../../domain/budget/items/pupilNumbers.ts'
import { normaliseMappingText } from '../../../../domain/files/texts.ts'
import { compareValues } from '../../../../domain/lists/lists.ts'
import type { BenchmarkGroup, MeasureFacts } from '../../../../domain/reports/measures/measuresReport.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import type { LimitedCaller } from '../../monitoring/requests/queries.ts'
import { readComparatorSetInUse } from '../comparators/queries.ts'
import { readMoneyFactsByLocation } from '../money/queries.ts'
import { readTimetabledPupils } from '../pupils/queries.ts'
import type { ReportedScope, ReportRequest } from '../scopes/queries.ts'
import { filterStaffFacts, readStaffFacts } from '../staff/queries.ts'

/** The fields of a budget code that refer to its regulatory codes, in order of preference. */
const reportingFields = ['cfrCodeId', 'acoaCodeId', 'gagCodeId', 'customCodeId'] as const
/** Supply teachers and agency supply, in consistent financial reporting and in the chart of accounts. */
const supplyCodes = new Set(['E02', 'E26', '650400'])

/**
 * The data for the measures of each location of a scope, or of the whole scope, read together for any number of locations. Measures include
 * all amounts, whatever the filters of the report.
 */
export async function readMeasureFacts(
  call: Call & LimitedCaller,
  { scope, each }: { scope: ReportedScope; each: readonly ReportedScope[] },
  { request, isNamed }: { request: ReportRequest; isNamed: boolean },
): Promise<MeasureFacts[]> {
  const { tx } = call
  const whole = { ...request, costCentreIds: null, fundCodeIds: null, analysisTagIds: null, budgetCodeIds: null, scheme: null }
  const money = await readMoneyFactsByLocation(call, each, { request: whole, asking: { spread: 'years', byCentre: false } })
  const staff = await readStaffFacts(call, scope, { request: whole, isNamed: false })
  const reporting = new Map((await readResourceRecords(tx, resources.financialReportingCode)).map((record) => [record.id, record]))
  const codes = await readResourceRecords(tx, resources.budgetCode)
  const saidBy = (code: (typeof codes)[number]) => reportingFields.flatMap((field) => reporting.get(code[field] ?? -1) ?? [])
  const groupOf = new Map(codes.map((code) => [code.id, saidBy(code).find((one) => one.benchmarkingGroupId)?.benchmarkingGroupId]))
  const groups = (await readResourceRecords(tx, resources.benchmarkingGroup))
    .sort((a, b) => compareValues(a.id, b.id))
    .map(
      ({ id, name }): BenchmarkGroup => ({
        name,
        codeIds: new Set(codes.flatMap((code) => (groupOf.get(code.id) === id ? [code.id] : []))),
      }),
    )
  const supplyCodeIds = new Set(codes.flatMap((code) => (saidBy(code).some((one) => supplyCodes.has(one.code)) ? [code.id] : [])))
  const sets = await readTimetabledPupils(
    tx,
    call.organisationId,
    scope.budgets.map(({ id }) => id),
  )
  const lessonsOf = ({ budgets, years }: ReportedScope): MeasureFacts['lessons'] => {
    const [only, ...others] = budgets
    if (!only || others.length) return null
    const typed = sets.get(only.id)?.lessons ?? []
    return years.map((year) => typed[year - only.head.firstYear] ?? emptyLessonYear)
  }
  const used = await readComparatorSetInUse(tx, call.organisationId)
  /** A school is not compared with itself, and several schools together are not compared at all. */
  const comparatorsOf = ({ budgets }: ReportedScope): Pick<MeasureFacts, 'comparators'> => {
    const [only, ...others] = new Set(budgets.map(({ location }) => normaliseMappingText(location.name)))
    if (only === undefined || others.length) return {}
    return { comparators: used && { ...used, schools: used.schools.filter(({ name }) => normaliseMappingText(name) !== only) } }
  }
  return each.map(({ budgets }, index) => ({
    ...comparatorsOf(assertDefined(each[index])),
    money: assertDefined(money[index]),
    staff: filterStaffFacts(staff, new Set(budgets.map(({ id }) => id))),
    groups,
    supplyCodeIds,
    lessons: lessonsOf(assertDefined(each[index])),
    isNamed,
  }))
}
