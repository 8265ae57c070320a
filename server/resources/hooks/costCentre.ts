import { actualLines } from '../../../drizzle/monitoringTables.ts'
import { budgetGroups } from '../../../drizzle/schema.ts'
import { findAllowanceUses } from './groups.ts'
import { findActualsUses } from './monitoring.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const usesOfLines = findActualsUses(actualLines.costCentreId)
const usesOfClaims = findAllowanceUses(budgetGroups.allowanceCostCentreId, 'costCentreId')

export const costCentreHooks: ResourceHooks = { uses: (ids) => [...usesOfLines(ids), ...usesOfClaims(ids)] }
