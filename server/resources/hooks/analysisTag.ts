import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { usesOfActuals } from './actuals.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const analysisTag: ResourceHooks = { uses: usesOfActuals(actualLines.analysisTagId) }
