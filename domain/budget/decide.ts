import { payScaleFlags } from '../calculation/inputs.ts'
import { binRetentionDays, getRestorableSince } from '../changes/bin.ts'
import { calculationType } from '../lookups/lookupIds.ts'
import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { type FieldOptions, type Fields, getSingularName, isReferring } from '../resources/fields.ts'
import { doSharesAddUp } from '../resources/shares.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { displayDate } from '../values/format.ts'
import type { BudgetGroupId, ContractId, StaffId, UserId } from '../values/ids.ts'
import { isKeyOf } from '../values/keysOf.ts'
import { conflict, DomainError, type FieldProblem, invalid, notFound } from '../words/errors.ts'
import {
  areSettingsEqual,
  type BudgetElements,
  type BudgetHead,
  type BudgetSettings,
  type HeadFieldSetLater,
  type StaffContract,
  type StaffContractInput,
  type StoredContract,
  type StoredScalePoint,
} from './budget.ts'
import { listReferencedIds, type ReferencedResource, toStoredForm } from './contractForms.ts'
import type { BudgetEvent, StoredEvent } from './events.ts'
import { getItemKind, type ItemKind } from './items/item.ts'

/** The records that a contract refers to. The caller looks them up, so that decisions stay pure. */
export interface ContractFacts {
  contractType: { id: number; payScaleTypes: number; calculationType: number } | undefined
  points: ReadonlyMap<number, StoredScalePoint>
  /** The ids that contracts at the location may refer to, by resource. */
  allowedIds: Readonly<Record<ReferencedResource, ReadonlySet<number>>>
  staffId: StaffId | null
  otherNames: readonly string[]
  sealedNotes: string | null
}

export const lockedSentence = 'This budget is locked.'
export const recalculatingSentence = 'Staff contracts are being recalculated. Try again when it has finished.'

/** @throws DomainError 409 for a locked budget */
export function refuseLocked(head: BudgetHead): void {
  if (head.locked) throw conflict('locked', lockedSentence)
}

/** Events that change figures. Item events are classified by their kind. */
const figureEvents: ReadonlySet<BudgetEvent['type']> = new Set([
  'BudgetElementsSaved',
  'StaffContractSaved',
  'StaffContractDeleted',
  'StaffContractsRecalculated',
  'LeaveEarningsKept',
  'LevyAllowanceShared',
  'EmploymentAllowancePosted',
  'BudgetEntriesRebased',
  'TransfersPosted',
])
const withoutFigures: readonly ItemKind[] = ['comment', 'scenario']

/**
 * Refuses events that change the figures of a locked budget, whether from a save or as a consequence of another change (rules.md §15).
 * @throws DomainError 409 for a locked budget
 */
export function refuseLockedFigures(head: Pick<BudgetHead, 'locked'> | undefined, events: readonly BudgetEvent[]): void {
  if (!head?.locked) return
  const changesFigures = (event: BudgetEvent): boolean => {
    const kind = getItemKind(event.type)
    return kind ? !withoutFigures.includes(kind) : figureEvents.has(event.type)
  }
  if (events.some(changesFigures)) throw conflict('locked', lockedSentence)
}

/** @throws DomainError for more years than the location allows (rules.md §1) or a name that is in use */
export function createBudget(input: Omit<BudgetHead, HeadFieldSetLater>, maximumYears: number, names: readonly string[]): BudgetEvent[] {
  if (input.numberOfYears > maximumYears)
    throw invalid([{ field: 'numberOfYears', message: `Number of years must be between 1 and ${maximumYears} at this location.` }])
  if (names.some((name) => name.toLowerCase() === input.name.toLowerCase())) throw createNameTakenError()
  checkElements(input.elements)
  return [{ type: 'BudgetCreated', data: input }]
}

function createNameTakenError(): DomainError {
  return new DomainError('conflict', 'duplicate', 'Name is already used.', {
    fields: [{ field: 'name', message: 'Name is already used.' }],
  })
}

function checkElements(elements: BudgetElements): void {
  for (const [kind, rows] of Object.entries(elements))
    if (new Set(rows.map((row) => row.effectiveDate)).size < rows.length)
      throw invalid([{ field: kind, message: 'Two rows have the same effective date.' }])
}

export function renameBudget(head: BudgetHead, name: string, names: readonly string[]): BudgetEvent[] {
  refuseLocked(head)
  if (name === head.name) return []
  if (names.some((other) => other.toLowerCase() === name.toLowerCase())) throw createNameTakenError()
  return [{ type: 'BudgetRenamed', data: { name } }]
}

export function saveElements(head: BudgetHead, data: BudgetSettings, maximumYears: number): BudgetEvent[] {
  refuseLocked(head)
  if (data.numberOfYears > maximumYears)
    throw invalid([{ field: 'numberOfYears', message: `Number of years must be between 1 and ${maximumYears} at this location.` }])
  checkElements(data.elements)
  return areSettingsEqual(head, data) ? [] : [{ type: 'BudgetElementsSaved', data }]
}

/** Locks (“fixes”) a budget permanently; does nothing if it is locked already (rules.md §15). */
export function lockBudget(head: BudgetHead, by: UserId, at: string): BudgetEvent[] {
  return head.locked ? [] : [{ type: 'BudgetLocked', data: { lockedAt: at, lockedById: by } }]
}

/** Creates or changes a staff contract. @throws DomainError naming each invalid field */
export function saveStaffContract(
  head: BudgetHead,
  { before, id, input, facts }: { before: StoredContract | undefined; id: ContractId; input: StaffContractInput; facts: ContractFacts },
): BudgetEvent[] {
  refuseLocked(head)
  if (input.id && !before) throw notFound('Staff contract')
  const problems = contractProblems(head, input, facts)
  if (problems.length) throw invalid(problems)
  if (facts.otherNames.some((name) => name.toLowerCase() === input.contractName.toLowerCase()))
    throw new DomainError('conflict', 'duplicate', 'Contract name is already used.', {
      fields: [{ field: 'contractName', message: 'Contract name is already used.' }],
    })
  const contract = normaliseContract(id, input, facts)
  if (before && sameContract(before, contract)) return []
  return [{ type: 'StaffContractSaved', data: { id, contract } }]
}

const { fields } = staffContract
const { of: parts } = fields.salary
const wasNotFound = (field: FieldOptions): string => `${getSingularName(field)} was not found.`
const isRequired = (field: FieldOptions): string => `${field.label} is required.`
const isBefore = (field: FieldOptions, other: FieldOptions): string => `${field.label} must not be before ${other.label}.`

function contractProblems(head: BudgetHead, input: StaffContractInput, facts: ContractFacts): FieldProblem[] {
  const { contractType, points, staffId } = facts
  const problems: FieldProblem[] = []
  const add = (field: string, message: string): void => void problems.push({ field, message })
  const isKnown = (to: string, id: number): boolean => {
    if (to === 'payScalePoint') return points.has(id)
    if (to === 'contractType') return contractType?.id === id && head.contractTypeIds.includes(id)
    return isKeyOf(facts.allowedIds, to) && facts.allowedIds[to].has(id)
  }
  const addUnknown = (of: Fields, values: object, at = ''): void => {
    for (const [name, field] of Object.entries(of))
      if (isReferring(field) && listReferencedIds(field, Reflect.get(values, name)).some((id) => !isKnown(field.to, id)))
        add(`${at}${name}`, wasNotFound(field))
  }
  if (input.employeeNumber && staffId === null) add('employeeNumber', wasNotFound(fields.employeeNumber))
  if (contractType && !(contractType.payScaleTypes & input.type)) add('type', 'This contract type cannot use that pay scale.')
  if (input.endDate && input.endDate < input.startDate) add('endDate', isBefore(fields.endDate, fields.startDate))
  addUnknown(fields, input)
  if (new Set(input.fundCodes.map((share) => share.fundCodeId)).size < input.fundCodes.length)
    add('fundCodes', 'A fund code can have one share only.')
  if (!doSharesAddUp(input.fundCodes)) add('fundCodes', 'The fund code shares must add up to 100.')
  const dates = new Set<string>()
  input.salary.forEach((row, index) => {
    const field = (name: string): string => `salary.${index}.${name}`
    if (dates.has(row.effectiveDate))
      add(field('effectiveDate'), `Two salary rows start on ${displayDate(row.effectiveDate)}. Give each its own date.`)
    dates.add(row.effectiveDate)
    const point = row.scalePoint === null ? undefined : points.get(row.scalePoint)
    addUnknown(parts, row, field(''))
    if (point && contractType && !(contractType.payScaleTypes & payScaleFlags[point.kind]))
      add(field('scalePoint'), 'This contract type cannot use that pay scale.')
    if (row.scalePoint === null && row.spotAdjustment === null) add(field('scalePoint'), 'Choose a scale point or enter a spot salary.')
    if (row.calculationCeaseDate && row.calculationCeaseDate < row.effectiveDate)
      add(field('calculationCeaseDate'), isBefore(parts.calculationCeaseDate, parts.effectiveDate))
    if (contractType?.calculationType === calculationType.fte && row.fte === null) add(field('fte'), isRequired(parts.fte))
    if (contractType && contractType.calculationType !== calculationType.fte) {
      if (row.hoursPerWeek === null) add(field('hoursPerWeek'), isRequired(parts.hoursPerWeek))
      if (row.weeksPerYear === null) add(field('weeksPerYear'), isRequired(parts.weeksPerYear))
    }
  })
  return problems
}

function normaliseContract(id: ContractId, input: StaffContractInput, { points, staffId, sealedNotes }: ContractFacts): StaffContract {
  const { version: _version, reminderDate: _date, reminderText: _text, ...sent } = input
  const stored = toStoredForm(sent, (point) => points.get(point) ?? null)
  return { ...stored, id, staffId, sealedNotes, salary: stored.salary.sort((a, b) => a.effectiveDate.localeCompare(b.effectiveDate)) }
}

function sameContract({ version: _version, savedAt: _at, created: _created, ...before }: StoredContract, after: StaffContract): boolean {
  return canonicalJson(before) === canonicalJson(after)
}

/**
 * Deletes a budget, which moves it to the bin.
 * @param groupId the group to remove it from
 * @throws DomainError 409 if it is locked: approved budgets are retained (behaviour B-160)
 */
export function deleteBudget(head: BudgetHead, groupId: BudgetGroupId | null): BudgetEvent[] {
  if (head.locked) throw conflict('locked', 'This budget is locked and cannot be deleted.')
  return [{ type: 'BudgetDeleted', data: { groupId } }]
}

/**
 * Restores a deleted budget from the bin.
 * @param last the last event of its log
 * @throws DomainError 409 if it is not in the bin, or was deleted too long ago
 */
export function restoreBudget(last: Pick<StoredEvent, 'type' | 'occurredAt'> | undefined, now: Date): BudgetEvent[] {
  if (last?.type !== 'BudgetDeleted' || Date.parse(last.occurredAt) <= getRestorableSince(now).getTime())
    throw conflict('notInBin', `This budget is no longer in the bin: it was restored, or its ${binRetentionDays} days have passed.`)
  return [{ type: 'BudgetRestored', data: {} }]
}

export function chooseVersionType(head: BudgetHead, versionType: number): BudgetEvent[] {
  refuseLocked(head)
  return versionType === head.versionType ? [] : [{ type: 'BudgetVersionTypeChosen', data: { versionType } }]
}

export function deleteStaffContracts(head: BudgetHead, ids: readonly ContractId[]): BudgetEvent[] {
  refuseLocked(head)
  return ids.map((id) => ({ type: 'StaffContractDeleted', data: { id } }))
}
