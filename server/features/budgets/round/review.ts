import type { BudgetInput } from '../../../../domain/budget/budget.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { BudgetTableKind } from '../../../../domain/resources/entities/budget/budget.ts'
import { firstDayOfMonth, toIsoDate } from '../../../../domain/values/calendar.ts'
import { displayCount, displayDate } from '../../../../domain/values/format.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { listBudgetNamesAtLocation } from '../../../streams/budget/queries.ts'

/** Something that a new budget would lack, shown before it is created. `blocks`: whether it prevents creating the budget. */
export interface BudgetWarning {
  field: string
  text: string
  blocks: boolean
}

const kindsOf: { flag: number; kind: BudgetTableKind; name: string }[] = [
  { flag: 1, kind: 'teacherPayScales', name: 'teacher pay scales' },
  { flag: 2, kind: 'customTeacherPayScales', name: 'custom teacher pay scales' },
  { flag: 4, kind: 'supportPayScales', name: 'support pay scales' },
  { flag: 8, kind: 'customSupportPayScales', name: 'custom support pay scales' },
]

type ReviewedBudget = Omit<BudgetInput, 'staffAssumptionsId'> & { staffAssumptionsId: number | null; startMonth: number }

/**
 * Lists what planned budgets would lack: tables on their first day, pension rates, their authority's funding rates, names, years. Covers
 * only what the caller may see.
 */
export async function reviewBudgets(
  { tx, organisationId }: Call<'organisationId'>,
  input: ReviewedBudget,
  limitedTo: readonly number[] | null,
): Promise<BudgetWarning[]> {
  const warnings: BudgetWarning[] = []
  const warn = (field: string, text: string, blocks = false): void => void warnings.push({ field, text, blocks })
  const first = toIsoDate(firstDayOfMonth(input.firstYear, input.startMonth))
  const begins = (rows: { effectiveDate: string }[]): string | undefined => [...rows].map((row) => row.effectiveDate).sort()[0]
  const needs = (kind: BudgetTableKind, name: string, what: string): void => {
    const from = begins(input[kind])
    if (from === undefined) warn(kind, `There are no ${name}: ${what} will not be calculated.`)
    else if (from > first) warn(kind, `The first ${name} apply from ${displayDate(from)}: before that ${what} will not be calculated.`)
  }
  const isSeen = (locationIds: readonly number[]): boolean =>
    !limitedTo || !locationIds.length || locationIds.some((id) => limitedTo.includes(id))
  const types = (await readResourceRecords(tx, resources.contractType, { column: 'id', ids: input.contractTypeIds })).filter((type) =>
    isSeen(type.locations),
  )
  for (const { flag, kind, name } of kindsOf) {
    const using = types.filter((type) => type.payScaleTypes & flag)
    // National pay scales are required if any contract type uses them, custom pay scales only if a contract type uses no others.
    if (using.some((type) => (type.payScaleTypes & ~flag) === 0) || (flag & 5 && using.length)) needs(kind, name, 'contracts on them')
  }
  needs('nationalInsurance', 'national insurance tables', 'national insurance')
  needs('extendedLeaveRates', 'extended leave rates', 'statutory leave pay')
  if (input.staffAssumptionsId !== null) {
    const rates = await readResourceRecords(tx, resources.staffErPensionRate, {
      column: 'staffAssumptionsId',
      ids: [input.staffAssumptionsId],
    })
    for (const type of types)
      if (!rates.some((rate) => rate.contractTypeId === type.id && rate.effectiveDate <= first))
        warn('staffAssumptionsId', `The assumptions have no employer pension rate for ${type.name} on ${displayDate(first)}.`)
  }
  const locations = (await readResourceRecords(tx, resources.location, { column: 'id', ids: input.locationIds })).filter((location) =>
    isSeen([location.id]),
  )
  const tables = input.localAuthorityFundingRates.map((row) => row.adminTableId)
  const funding = await readResourceRecords(tx, resources.localAuthorityFundingRate, { column: 'adminTable', ids: tables })
  for (const location of locations) {
    if (
      (await listBudgetNamesAtLocation({ tx, organisationId, locationId: location.id })).some(
        (name) => name.toLowerCase() === input.name.trim().toLowerCase(),
      )
    )
      warn('name', `${location.name} already has a budget with that name.`, true)
    if (input.numberOfYears > location.maximumBudgetYears)
      warn('numberOfYears', `A budget for ${location.name} can have at most ${displayCount(location.maximumBudgetYears, 'year')}.`, true)
    if (tables.length && !funding.some((rate) => rate.localAuthority === location.localAuthorityId))
      warn('localAuthorityFundingRates', `The funding rates do not include ${location.name}’s local authority.`)
    const elsewhere = types.filter((type) => type.locations.length && !type.locations.includes(location.id))
    if (elsewhere.length) warn('contractTypeIds', `${location.name} cannot use ${elsewhere.map((type) => type.name).join(', ')}.`)
  }
  return warnings
}
