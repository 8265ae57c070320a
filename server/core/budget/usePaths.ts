import { inArray, type SQL, sql } from 'drizzle-orm'
import { elementKinds, elementNames } from '../../../domain/budget/budget.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import { budgets, staffContracts } from '../../../drizzle/schema.ts'

function path(
  column: SQL | typeof budgets.head | typeof staffContracts.contract | typeof budgetItems.item,
  expression: string,
  ids: readonly number[],
): SQL {
  return sql`jsonb_path_exists(${column}, ${expression}::jsonpath, ${JSON.stringify({ ids })}::jsonb)`
}

/** The condition for budgets that name a record. */
export function budgetUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  if (resource.name === 'location') return inArray(budgets.locationId, [...ids])
  const kinds = elementNames.filter((kind) => elementKinds[kind].of === resource.name)
  if (kinds.length) {
    const wanted = kinds.map((kind) => `@.key == "${kind}"`).join(' || ')
    return path(budgets.head, `$.elements.keyvalue() ? (${wanted}).value[*].adminTableId ? (@ == $ids[*])`, ids)
  }
  if (resource.name === 'inflation') return path(budgets.head, '$.inflationId ? (@ == $ids[*])', ids)
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

const itemPaths: Record<string, string> = {
  budgetCode: '$.budgetCodeId ? (@ == $ids[*])',
  costCentre: '$.costCentreId ? (@ == $ids[*])',
  fundCode: '$.fundCodes[*].fundCodeId ? (@ == $ids[*])',
  analysisTag: '$.analysisTags[*] ? (@ == $ids[*])',
  profileTemplate: '$.profileTemplateId ? (@ == $ids[*])',
  adminTable: '$.versionId ? (@ == $ids[*])',
}

/** The condition for entries, calculations and predictions that name a record. */
export function itemUse(resource: AnyResource, ids: readonly number[]): SQL | undefined {
  const expression = itemPaths[resource.name]
  return expression ? path(budgetItems.item, expression, ids) : undefined
}
