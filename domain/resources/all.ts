import { adminTable } from './entities/adminTable.ts'
import { assist } from './entities/assist.ts'
import { staffMember } from './entities/budget/staffMember.ts'
import { analysisTag } from './entities/coding/analysisTag.ts'
import { bfrCode } from './entities/coding/bfrCode.ts'
import { budgetCode } from './entities/coding/budgetCode.ts'
import { cluster } from './entities/coding/cluster.ts'
import { costCentre } from './entities/coding/costCentre.ts'
import { financialReportingCode } from './entities/coding/financialReportingCode.ts'
import { fundCode } from './entities/coding/fundCode.ts'
import { payrollCode } from './entities/coding/payrollCode.ts'
import { benchmarkingGroup } from './entities/funding/benchmarkingGroup.ts'
import { gagPool } from './entities/funding/gagPool.ts'
import { gagPoolTable } from './entities/funding/gagPoolTable.ts'
import { incomeType } from './entities/funding/incomeType.ts'
import { inflation } from './entities/funding/inflation.ts'
import { inflationRate } from './entities/funding/inflationRate.ts'
import { localAuthority } from './entities/funding/localAuthority.ts'
import { localAuthorityFundingRate } from './entities/funding/localAuthorityFundingRate.ts'
import { profileTemplate } from './entities/funding/profileTemplate.ts'
import { studentGroup } from './entities/funding/studentGroup.ts'
import { topSlice } from './entities/funding/topSlice.ts'
import { topSliceTable } from './entities/funding/topSliceTable.ts'
import { flashMessage } from './entities/organisation/flashMessage.ts'
import { location } from './entities/organisation/location.ts'
import { newsArticle } from './entities/organisation/newsArticle.ts'
import { organisation } from './entities/organisation/organisation.ts'
import { reminder } from './entities/organisation/reminder.ts'
import { user } from './entities/organisation/user.ts'
import { userGroup } from './entities/organisation/userGroup.ts'
import { allowance } from './entities/pay/allowance.ts'
import { apprenticeshipLevy } from './entities/pay/apprenticeshipLevy.ts'
import { contractType } from './entities/pay/contractType.ts'
import { employmentAllowance } from './entities/pay/employmentAllowance.ts'
import { extendedLeaveRule } from './entities/pay/extendedLeaveRule.ts'
import { extendedLeaveRuleSet } from './entities/pay/extendedLeaveRuleSet.ts'
import { extendedLeaveType } from './entities/pay/extendedLeaveType.ts'
import { nationalInsurance } from './entities/pay/nationalInsurance.ts'
import { payScalePoint } from './entities/pay/payScalePoint.ts'
import { serviceTerm } from './entities/pay/serviceTerm.ts'
import { staffAssumptions } from './entities/pay/staffAssumptions.ts'
import { staffErPensionRate } from './entities/pay/staffErPensionRate.ts'
import { staffInflationRate } from './entities/pay/staffInflationRate.ts'
import type { AnyResource } from './resource.ts'

/** Every declared entity, by the name of its procedures. To add an entity, write its declaration and list it here. */
export const resources = {
  adminTable,
  allowance,
  analysisTag,
  benchmarkingGroup,
  bFRCode: bfrCode,
  budgetCode,
  contractType,
  costCentre,
  extendedLeaveRule,
  extendedLeaveRuleSet,
  extendedLeaveType,
  financialReportingCode,
  fundCode,
  localAuthority,
  location,
  nationalInsurance,
  organisation,
  payScalePoint,
  serviceTerm,
  staffAssumptions,
  staffErPensionRate,
  staffInflationRate,
  cluster,
  incomeType,
  localAuthorityFundingRate,
  payrollCode,
  profileTemplate,
  studentGroup,
  inflation,
  inflationRate,
  topSliceTable,
  topSlice,
  gagPoolTable,
  gagPool,
  apprenticeshipLevy,
  employmentAllowance,
  userGroup,
  flashMessage,
  newsArticle,
  assist,
  reminder,
} satisfies Record<string, AnyResource>

/**
 * Entities that are not stored in generated tables: staff members, because they are encrypted, and users, because organisations share them.
 * Their declarations still define rules, forms, lists and files.
 */
export const separatelyStoredResources = { staffMember, user } satisfies Record<string, AnyResource>

export type ResourceName = keyof typeof resources
/** Every entity with generic screens. */
export type AnyResourceName = ResourceName | keyof typeof separatelyStoredResources

/**
 * Whether deleted records of a list can be restored and other changes undone. Staff members and users cannot: deleting a staff member
 * deletes the key to the personal data, and deleting a user deletes the sign-in.
 */
export function canUndoChanges({ name }: Pick<AnyResource, 'name'>): boolean {
  return !(name in separatelyStoredResources)
}

export const allResources: AnyResource[] = Object.values(resources)

/**
 * Returns the declaration of an entity.
 * @throws Error if there is none with the name, which is a bug
 */
export function getResource(name: string): AnyResource {
  const found: AnyResource | undefined = { ...resources, ...separatelyStoredResources }[name]
  if (!found) throw new Error(`There is no resource ${name}`)
  return found
}

/** Finds every field that refers to a resource, for "in use by" and for pickers. */
export function findFieldsReferringTo(name: string): { resource: AnyResource; field: string; many: boolean }[] {
  return allResources.flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([field, { kind, ...options }]) =>
      (kind === 'reference' || kind === 'references') && 'to' in options && options.to === name
        ? [{ resource, field, many: kind === 'references' }]
        : [],
    ),
  )
}
