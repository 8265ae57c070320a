import { elementKinds, elementsBy, settingFields } from '../resources/entities/budget/budget.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { type NamingField, namingFields } from '../resources/fields.ts'
import type { FundShare } from '../resources/shares.ts'
import { sharesOf } from '../resources/shares.ts'
import { requireNumbers } from '../values/unknownValues.ts'
import type { BudgetHead, BudgetSettings, KeptScalePoint, StaffContract } from './budget.ts'
import { keptName, settingsOf } from './budget.ts'
import { withPoints } from './contractForms.ts'
import type { StoredItem } from './items/item.ts'

const swapped = (ids: readonly number[], from: number, to: number): number[] => [...new Set(ids.map((id) => (id === from ? to : id)))]

/** The fields of contracts that name records of a resource; points are replaced with what is kept of them. */
const namingIn = (resource: string) =>
  namingFields(staffContract.fields).filter(({ field }) => field.to === resource && field.kind !== 'point')

/** What one field names, with one record in place of another. */
function swappedIn(kind: NamingField['kind'], { value, from, to }: { value: unknown; from: number; to: number }): unknown {
  if (kind === 'shares') return joined(sharesOf(value), from, to)
  if (kind === 'references') return swapped(requireNumbers(value), from, to)
  return value === from ? to : value
}

/** What holds a field, with one record in place of another there. */
function swapIn<T extends object>(
  of: T,
  { name, kind, from, to }: { name: string; kind: NamingField['kind']; from: number; to: number },
): T {
  return { ...of, [name]: swappedIn(kind, { value: Reflect.get(of, name), from, to }) }
}

/** Shares of two fund codes that become one are added; hundredths of a hundredth keep the sum exact. */
function joined(shares: readonly FundShare[], from: number, to: number): FundShare[] {
  const sums = new Map<number, number>()
  for (const { fundCodeId, percentage } of shares) {
    const id = fundCodeId === from ? to : fundCodeId
    sums.set(id, (sums.get(id) ?? 0) + Math.round(percentage * 10_000))
  }
  return [...sums].map(([fundCodeId, share]) => ({ fundCodeId, percentage: share / 10_000 }))
}

/** Whether contracts name records of a resource that can be replaced by another by id alone. */
export function isNamedByContracts(resource: string): boolean {
  return namingIn(resource).length > 0
}

/** A contract with one record of a resource in place of another. */
export function replaceInContract(
  contract: StaffContract,
  { resource, from, to }: { resource: string; from: number; to: number },
): StaffContract {
  let now = contract
  for (const { name, part, field } of namingIn(resource))
    now =
      part && name === 'salary'
        ? { ...now, salary: now.salary.map((row) => swapIn(row, { name: part, kind: field.kind, from, to })) }
        : swapIn(now, { name: keptName(name), kind: field.kind, from, to })
  return now
}

/** A contract with one scale point in place of another, as it is kept with contracts. */
export function replacePoint(contract: StaffContract, from: number, to: KeptScalePoint): StaffContract {
  return withPoints(contract, (point) => (point.id === from ? to : point))
}

/** What a budget is calculated with, with one admin table, set of staff assumptions or contract type in place of another. */
export function replaceInHead(head: BudgetHead, { resource, from, to }: { resource: string; from: number; to: number }): BudgetSettings {
  let part = settingsOf(head)
  const { elements } = part
  for (const { name, field } of namingFields(settingFields))
    if (field.to === resource) part = swapIn(part, { name, kind: field.kind, from, to })
  const replaced = elementsBy((kind) =>
    elements[kind].map((row) => (row.adminTableId === from && elementKinds[kind].of === resource ? { ...row, adminTableId: to } : row)),
  )
  return { ...part, elements: replaced }
}

const named: Partial<Record<string, string>> = {
  budgetCode: 'budgetCodeId',
  costCentre: 'costCentreId',
  profileTemplate: 'profileTemplateId',
  adminTable: 'versionId',
}

/** An entry, calculation or prediction with one record of a resource in place of another; the same object when it names neither. */
export function replaceInItem(stored: StoredItem, { resource, from, to }: { resource: string; from: number; to: number }): StoredItem {
  const { item } = stored
  // One of its own fields gets another value of the same type, so that it stays an item of its kind.
  const withField = (name: string, value: unknown): StoredItem => ({ ...stored, item: { ...item, [name]: value } }) as StoredItem
  const field = named[resource]
  if (field && Reflect.get(item, field) === from) return withField(field, to)
  if (resource === 'fundCode' && 'fundCodes' in item && item.fundCodes.some((share) => share.fundCodeId === from))
    return withField('fundCodes', joined(item.fundCodes, from, to))
  if (resource === 'analysisTag' && 'analysisTags' in item && item.analysisTags.includes(from))
    return withField('analysisTags', swapped(item.analysisTags, from, to))
  return stored
}
