import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { createActualsUsesFinder } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const fundCodeHooks: ResourceHooks = { uses: createActualsUsesFinder(actualLines.fundCodeId) }
