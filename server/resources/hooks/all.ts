import type { ResourceName } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { analysisTag } from './analysisTag.ts'
import { budgetCode } from './budgetCode.ts'
import { contractType } from './contractType.ts'
import { costCentre } from './costCentre.ts'
import { extendedLeaveRuleSet } from './extendedLeaveRuleSet.ts'
import { fundCode } from './fundCode.ts'
import { organisation } from './organisation.ts'
import { payrollCode } from './payrollCode.ts'
import { payScalePoint } from './payScalePoint.ts'
import type { ResourceHooks } from './resourceHooks.ts'
import { userGroup } from './userGroup.ts'

/** Hooks by resource name. Most resources need none. */
const hooks: Record<string, ResourceHooks | undefined> = {
  analysisTag,
  budgetCode,
  contractType,
  costCentre,
  extendedLeaveRuleSet,
  fundCode,
  organisation,
  payrollCode,
  payScalePoint,
  userGroup,
} satisfies Partial<Record<ResourceName, ResourceHooks>>

/** The rules of a resource that its declaration cannot express; empty if it has none. */
export function getHooks(resource: AnyResource): ResourceHooks {
  return hooks[resource.name] ?? {}
}
