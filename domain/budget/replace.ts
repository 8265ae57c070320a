import { budgetSettingFields, budgetTableKinds, buildRecordByTableKind } from '../resources/entities/budget/budget.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { listReferringFields, type ReferringField } from '../resources/fields.ts'
import type { FundShare } from '../resources/shares.ts'
import { requireShares } from '../resources/shares.ts'
import { requireNumbers } from '../values/unknownValues.ts'
import {
  type BudgetHead,
  type BudgetSettings,
  pickBudgetSettings,
  type StaffContract,
  type StoredScalePoint,
  toStoredFieldName,
} from './budget.ts'
import { mapScalePoints } from './contractForms.ts'
import type { StoredItem } from './items/item.ts'

const replaceId = (ids: readonly number[], from: number, to: number): number[] => [...new Set(ids.map((id) => (id === from ? to : id)))]

/** Fields of contracts that refer to a resource. Scale points have their own function, because contracts store copies of them. */
const fieldsReferring = (resource: string) =>
  listReferringFields(staffContract.fields).filter(({ field }) => field.to === resource && field.kind !== 'point')

function replaceInValue(kind: ReferringField['kind'], { value, from, to }: { value: unknown; from: number; to: number }): unknown {
  if (kind === 'shares') return replaceAndAddShares(requireShares(value), from, to)
  if (kind === 'references') return replaceId(requireNumbers(value), from, to)
  return value === from ? to : value
}

function replaceInField<T extends object>(
  holder: T,
  { name, kind, from, to }: { name: string; kind: ReferringField['kind']; from: number; to: number },
): T {
  return { ...holder, [name]: replaceInValue(kind, { value: Reflect.get(holder, name), from, to }) }
}

/** If both fund codes of a replacement have shares, the shares are added in hundredths of a basis point, so that the sum is exact. */
function replaceAndAddShares(shares: readonly FundShare[], from: number, to: number): FundShare[] {
  const sums = new Map<number, number>()
  for (const { fundCodeId, percentage } of shares) {
    const id = fundCodeId === from ? to : fundCodeId
    sums.set(id, (sums.get(id) ?? 0) + Math.round(percentage * 10_000))
  }
  return [...sums].map(([fundCodeId, share]) => ({ fundCodeId, percentage: share / 10_000 }))
}

/** Whether contracts refer to a resource by id, so that one record can simply replace another. */
export function isReferencedByContracts(resource: string): boolean {
  return fieldsReferring(resource).length > 0
}

export function replaceInContract(
  contract: StaffContract,
  { resource, from, to }: { resource: string; from: number; to: number },
): StaffContract {
  let now = contract
  for (const { name, part, field } of fieldsReferring(resource))
    now =
      part && name === 'salary'
        ? { ...now, salary: now.salary.map((row) => replaceInField(row, { name: part, kind: field.kind, from, to })) }
        : replaceInField(now, { name: toStoredFieldName(name), kind: field.kind, from, to })
  return now
}

export function replacePoint(contract: StaffContract, from: number, to: StoredScalePoint): StaffContract {
  return mapScalePoints(contract, (point) => (point.id === from ? to : point))
}

/** Replaces an admin table, set of staff assumptions or contract type in the settings of a budget. */
export function replaceInHead(head: BudgetHead, { resource, from, to }: { resource: string; from: number; to: number }): BudgetSettings {
  let part = pickBudgetSettings(head)
  const { elements } = part
  for (const { name, field } of listReferringFields(budgetSettingFields))
    if (field.to === resource) part = replaceInField(part, { name, kind: field.kind, from, to })
  const replaced = buildRecordByTableKind((kind) =>
    elements[kind].map((row) => (row.adminTableId === from && budgetTableKinds[kind].of === resource ? { ...row, adminTableId: to } : row)),
  )
  return { ...part, elements: replaced }
}

const itemReferenceFields: Partial<Record<string, string>> = {
  budgetCode: 'budgetCodeId',
  costCentre: 'costCentreId',
  profileTemplate: 'profileTemplateId',
  adminTable: 'versionId',
}

/** Replaces one record with another in an item. Returns the same object if the item does not refer to the record. */
export function replaceInItem(stored: StoredItem, { resource, from, to }: { resource: string; from: number; to: number }): StoredItem {
  const { item } = stored
  // The new value has the type of the old one, so the item keeps its kind.
  const withField = (name: string, value: unknown): StoredItem => ({ ...stored, item: { ...item, [name]: value } }) as StoredItem
  const field = itemReferenceFields[resource]
  if (field && Reflect.get(item, field) === from) return withField(field, to)
  if (resource === 'fundCode' && 'fundCodes' in item && item.fundCodes.some((share) => share.fundCodeId === from))
    return withField('fundCodes', replaceAndAddShares(item.fundCodes, from, to))
  if (resource === 'analysisTag' && 'analysisTags' in item && item.analysisTags.includes(from))
    return withField('analysisTags', replaceId(item.analysisTags, from, to))
  return stored
}
