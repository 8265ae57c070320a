import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { usesOfActuals } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const analysisTag: ResourceHooks = { uses: usesOfActuals(actualLines.analysisTagId) }
