import { adminTable } from './entities/adminTable.ts'
import { allowance } from './entities/allowance.ts'
import { analysisTag } from './entities/analysisTag.ts'
import { apprenticeshipLevy } from './entities/apprenticeshipLevy.ts'
import { assist } from './entities/assist.ts'
import { benchmarkingGroup } from './entities/benchmarkingGroup.ts'
import { bfrCode } from './entities/bfrCode.ts'
import { budgetCode } from './entities/budgetCode.ts'
import { cluster } from './entities/cluster.ts'
import { contractType } from './entities/contractType.ts'
import { costCentre } from './entities/costCentre.ts'
import { employmentAllowance } from './entities/employmentAllowance.ts'
import { extendedLeaveRule } from './entities/extendedLeaveRule.ts'
import { extendedLeaveRuleSet } from './entities/extendedLeaveRuleSet.ts'
import { extendedLeaveType } from './entities/extendedLeaveType.ts'
import { financialReportingCode } from './entities/financialReportingCode.ts'
import { flashMessage } from './entities/flashMessage.ts'
import { fundCode } from './entities/fundCode.ts'
import { gagPool } from './entities/gagPool.ts'
import { gagPoolTable } from './entities/gagPoolTable.ts'
import { incomeType } from './entities/incomeType.ts'
import { inflation } from './entities/inflation.ts'
import { inflationRate } from './entities/inflationRate.ts'
import { localAuthority } from './entities/localAuthority.ts'
import { localAuthorityFundingRate } from './entities/localAuthorityFundingRate.ts'
import { location } from './entities/location.ts'
import { nationalInsurance } from './entities/nationalInsurance.ts'
import { newsArticle } from './entities/newsArticle.ts'
import { organisation } from './entities/organisation.ts'
import { payrollCode } from './entities/payrollCode.ts'
import { payScalePoint } from './entities/payScalePoint.ts'
import { profileTemplate } from './entities/profileTemplate.ts'
import { reminder } from './entities/reminder.ts'
import { serviceTerm } from './entities/serviceTerm.ts'
import { staffAssumptions } from './entities/staffAssumptions.ts'
import { staffErPensionRate } from './entities/staffErPensionRate.ts'
import { staffInflationRate } from './entities/staffInflationRate.ts'
import { staffMember } from './entities/staffMember.ts'
import { studentGroup } from './entities/studentGroup.ts'
import { topSlice } from './entities/topSlice.ts'
import { topSliceTable } from './entities/topSliceTable.ts'
import { user } from './entities/user.ts'
import { userGroup } from './entities/userGroup.ts'
import type { AnyResource } from './resource.ts'

/** Every declared entity, by the name of its procedures. To add one, write its declaration and name it here. */
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

/** Entities kept in stores of their own, sealed or outside the tenants: declared for their rules, forms, lists and files. */
export const ownStores = { staffMember, user } satisfies Record<string, AnyResource>

export type ResourceName = keyof typeof resources
/** Whatever has the generic screens. */
export type DeclaredName = ResourceName | keyof typeof ownStores

/**
 * Whether changes of a list can be taken back as a whole, and what is deleted from it put back. Not of people and users: whoever is deleted
 * there is gone for good, since with them go the key that opens what is held on them, and their sign-in.
 */
export function isUndoable({ name }: Pick<AnyResource, 'name'>): boolean {
  return !(name in ownStores)
}

export const allResources: AnyResource[] = Object.values(resources)

/** @throws Error for a name that no declaration has: a fault of the code, not of a user */
export function resourceNamed(name: string): AnyResource {
  const found: AnyResource | undefined = { ...resources, ...ownStores }[name]
  if (!found) throw new Error(`There is no resource ${name}`)
  return found
}

/** Every field that points to a resource, for "in use by" and for pickers. */
export function usesOf(name: string): { resource: AnyResource; field: string; many: boolean }[] {
  return allResources.flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([field, { kind, ...options }]) =>
      (kind === 'reference' || kind === 'references') && 'to' in options && options.to === name
        ? [{ resource, field, many: kind === 'references' }]
        : [],
    ),
  )
}
