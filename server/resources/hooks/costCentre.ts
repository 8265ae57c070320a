import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { usesOfAllowance } from './groups.ts'
import { usesOfActuals } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfLines = usesOfActuals(actualLines.costCentreId)
const usesOfClaims = usesOfAllowance(budgetGroups.allowanceCostCentreId, 'costCentreId')

export const costCentre: ResourceHooks = { uses: (ids) => [...usesOfLines(ids), ...usesOfClaims(ids)] }
