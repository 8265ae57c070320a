import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { usesOfActuals } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const fundCode: ResourceHooks = { uses: usesOfActuals(actualLines.fundCodeId) }
