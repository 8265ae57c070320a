import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { createAllowanceUsesFinder } from './groups.ts'
import { createActualsUsesFinder } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfLines = createActualsUsesFinder(actualLines.costCentreId)
const usesOfClaims = createAllowanceUsesFinder(budgetGroups.allowanceCostCentreId, 'costCentreId')

export const costCentreHooks: ResourceHooks = { uses: (ids) => [...usesOfLines(ids), ...usesOfClaims(ids)] }
