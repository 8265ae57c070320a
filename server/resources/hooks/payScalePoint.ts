import { replacePoint } from '../../../domain/budget/replace.ts'
import { loadScalePoints } from '../../streams/budget/scalePoints.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const payScalePointHooks: ResourceHooks = {
  prepareContractSwap: async (tx, otherId) => {
    const point = (await loadScalePoints(tx, [otherId])).get(otherId)
    return point && ((contract, from) => replacePoint(contract, from, point))
  },
}
