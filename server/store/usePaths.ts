import { inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { budgets, staffContracts } from '../../drizzle/schema.ts'

function path(column: SQL | typeof budgets.head | typeof staffContracts.contract, expression: string, ids: readonly number[]): SQL {
  return sql`jsonb_path_exists(${column}, ${expression}::jsonpath, ${JSON.stringify({ ids })}::jsonb)`
}

/** The condition for budgets that name a record. */
export function budgetUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  if (resource.name === 'location') return inArray(budgets.locationId, [...ids])
  if (resource.name === 'adminTable') return path(budgets.head, '$.elements.*[*].adminTableId ? (@ == $ids[*])', ids)
  if (resource.name === 'staffAssumptions') return path(budgets.head, '$.staffAssumptionsId ? (@ == $ids[*])', ids)
  return resource.name === 'contractType' ? path(budgets.head, '$.contractTypeIds[*] ? (@ == $ids[*])', ids) : undefined
}

const contractPaths: Record<string, string> = {
  contractType: '$.contractTypeId ? (@ == $ids[*])',
  serviceTerm: '$.serviceTerms[*] ? (@ == $ids[*])',
  analysisTag: '$.analysisTags[*] ? (@ == $ids[*])',
  fundCode: '$.fundCodes[*].fundCodeId ? (@ == $ids[*])',
  allowance: '$.salary[*].allowances[*] ? (@ == $ids[*])',
  payScalePoint: '$.**.scalePoint.id ? (@ == $ids[*])',
}

export function contractUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const expression = contractPaths[resource.name]
  return expression ? path(staffContracts.contract, expression, ids) : undefined
}
