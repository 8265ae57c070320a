import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { createActualsUsesFinder } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const analysisTagHooks: ResourceHooks = { uses: createActualsUsesFinder(actualLines.analysisTagId) }
