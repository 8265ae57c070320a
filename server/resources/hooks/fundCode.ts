import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { findActualsUses } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const fundCodeHooks: ResourceHooks = { uses: findActualsUses(actualLines.fundCodeId) }
