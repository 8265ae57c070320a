import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { findActualsUses } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const analysisTagHooks: ResourceHooks = { uses: findActualsUses(actualLines.analysisTagId) }
