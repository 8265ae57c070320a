import type { ResourceName } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { analysisTagHooks } from './analysisTag.ts'
import { budgetCodeHooks } from './budgetCode.ts'
import { contractTypeHooks } from './contractType.ts'
import { costCentreHooks } from './costCentre.ts'
import { extendedLeaveRuleSetHooks } from './extendedLeaveRuleSet.ts'
import { fundCodeHooks } from './fundCode.ts'
import { organisationHooks } from './organisation.ts'
import { payrollCodeHooks } from './payrollCode.ts'
import { payScalePointHooks } from './payScalePoint.ts'
import type { ResourceHooks } from './resourceHooks.ts'
import { userGroupHooks } from './userGroup.ts'

/** Hooks by resource name. Most resources need none. */
const hooks: Record<string, ResourceHooks | undefined> = {
  analysisTag: analysisTagHooks,
  budgetCode: budgetCodeHooks,
  contractType: contractTypeHooks,
  costCentre: costCentreHooks,
  extendedLeaveRuleSet: extendedLeaveRuleSetHooks,
  fundCode: fundCodeHooks,
  organisation: organisationHooks,
  payrollCode: payrollCodeHooks,
  payScalePoint: payScalePointHooks,
  userGroup: userGroupHooks,
} satisfies Partial<Record<ResourceName, ResourceHooks>>

/** The rules of a resource that its declaration cannot express; empty if it has none. */
export function getHooks(resource: AnyResource): ResourceHooks {
  return hooks[resource.name] ?? {}
}
