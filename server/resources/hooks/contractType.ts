import type { ResourceHooks } from './resourceHooks.ts'

export const contractTypeHooks: ResourceHooks = {
  fitsContract: ({ payScaleTypes }, contract) => typeof payScaleTypes === 'number' && (payScaleTypes & contract.type) !== 0,
}
