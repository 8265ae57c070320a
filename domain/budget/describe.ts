import { type EmploymentAllowance, hasKnownAllowance } from '../calculation/employmentAllowance.ts'
import { determineUndoState } from '../changes/undoState.ts'
import { lookups } from '../lookups/lookups.ts'
import { budget, budgetSettingFields } from '../resources/entities/budget/budget.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount, displayMoney } from '../values/format.ts'
import type { ContractId, UserId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'
import type { BudgetHead, StoredContract } from './budget.ts'
import { formatContractChange, formatContractTitle, formatCostDifference } from './contractSentence.ts'
import { describeContractChanges, describeFields, filterChangedFields } from './describeContract.ts'
import type { BudgetEvent, EventOf, StoredEvent } from './events.ts'
import { type BudgetState, createEmptyBudget, evolve } from './evolve.ts'
import type { FieldChange, RecordNamer } from './fieldChange.ts'
import { describeItemEvent, describeTables, describeTransfers } from './items/describeItems.ts'
import { type ItemEvent, isItemDeleted, isItemSaved } from './items/item.ts'

/** One line of a history: who did what and when, with the old and new value of each field. */
export interface HistoryLine {
  version: number
  at: string
  actorId: UserId | null
  sentence: string
  changes: FieldChange[]
  contractId: ContractId | null
  /** The entry, calculation, prediction, pupil numbers or opening balance that changed. */
  itemId: string | null
  /** Whether the author may undo the change: it has not been undone, and the author has not changed the same thing since. */
  undoable: boolean
}

/** Which events of a log to describe. The others are only applied, to know the state before each described event. */
export interface HistorySelection {
  versions: ReadonlySet<number>
  /**
   * All events of the log, in order, by the key of what they changed (`getChangedKey`): a contract or item id, or `name` for the budget's
   * name.
   */
  since: ReadonlyMap<string, readonly Pick<StoredEvent, 'version' | 'actorId' | 'data'>[]>
  isLocked: boolean
}

/** Key in `HistorySelection.since` of what an event changes; null unless it changes exactly one contract or item, or the budget's name. */
export function getChangedKey(event: BudgetEvent): string | null {
  if (event.type === 'BudgetRenamed') return 'name'
  const isAboutOne =
    event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' || isItemSaved(event) || isItemDeleted(event)
  return isAboutOne ? event.data.id : null
}

/** Describes the selected events of a budget in sentences, newest first. */
export function describeHistory(
  events: readonly StoredEvent[],
  { versions, since, isLocked }: HistorySelection,
  nameOf: RecordNamer,
): HistoryLine[] {
  const state = createEmptyBudget()
  const lines: HistoryLine[] = []
  for (const [index, event] of events.entries()) {
    if (!versions.has(event.version)) {
      evolve(state, event)
      continue
    }
    const before =
      event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? state.contracts.get(event.data.id) : undefined
    const headBefore = state.head
    const itemId = isItemSaved(event) || isItemDeleted(event) ? event.data.id : null
    const itemBefore = itemId ? state.items.get(itemId) : undefined
    evolve(state, event)
    const description =
      isItemSaved(event) || isItemDeleted(event)
        ? describeItemEvent(event, { before: itemBefore, after: state.items.get(event.data.id), head: assertDefined(state.head), nameOf })
        : describeEvent(event, { state, before, headBefore, next: events[index + 1], nameOf })
    const contractId = event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? event.data.id : null
    const touched = getChangedKey(event)
    const undoable = touched !== null && !isLocked && isUndoable(event, since.get(touched) ?? [])
    lines.push({ version: event.version, at: event.occurredAt, actorId: event.actorId, contractId, itemId, undoable, ...description })
  }
  return lines.reverse()
}

/**
 * True if a save has not been undone and its author has not changed the same thing since. Changes by others are checked only when the save
 * is undone.
 */
function isUndoable(event: StoredEvent, touches: readonly Pick<StoredEvent, 'version' | 'actorId' | 'data'>[]): boolean {
  const { isUndone: isTakenBack, changesInEffect } = determineUndoState(
    event,
    touches.filter((later) => later.version > event.version),
  )
  return !isTakenBack && changesInEffect.every((later) => later.actorId !== event.actorId)
}

/** A single contract's total would reveal a person's pay, so only recalculations of the whole budget show their total. */
function staffSentence(event: StoredEvent): string | undefined {
  if (event.type === 'StaffContractsRecalculated') return event.data.cause === 'group' ? undefined : 'recalculated staff contracts'
  return staffSentences[event.type]
}

const staffSentences: Partial<Record<BudgetEvent['type'], string>> = {
  StaffContractSaved: 'saved a staff contract',
  StaffContractDeleted: 'deleted a staff contract',
  QuickCalculationSaved: 'saved a quick calculation',
  QuickCalculationDeleted: 'deleted a quick calculation',
}

/** Hides people, posts and hours from readers without staffing permissions. They still see that something changed, and who changed it. */
export function hideStaffDetails(lines: readonly HistoryLine[], events: readonly StoredEvent[]): HistoryLine[] {
  const sentences = new Map(events.map((event) => [event.version, staffSentence(event)]))
  return lines.map((line) => {
    const sentence = sentences.get(line.version)
    return sentence ? { ...line, sentence, changes: [], contractId: null, undoable: false } : line
  })
}

function describeEvent(
  event: Exclude<BudgetEvent, ItemEvent>,
  {
    state,
    before,
    headBefore,
    next,
    nameOf,
  }: {
    state: BudgetState
    before: StoredContract | undefined
    headBefore: BudgetHead | undefined
    next: StoredEvent | undefined
    nameOf: RecordNamer
  },
): { sentence: string; changes: FieldChange[] } {
  switch (event.type) {
    case 'BudgetCreated':
      return { sentence: describeCreation(event.data, nameOf), changes: [] }
    case 'BudgetRenamed':
      return {
        sentence: `${event.data.undoes ? 'undid the renaming of' : 'renamed'} the budget`,
        changes: [{ field: budget.fields.name.label, before: headBefore?.name ?? '', after: event.data.name }],
      }
    case 'BudgetVersionTypeChosen':
      return {
        sentence: 'changed the version type of the budget',
        changes: [
          {
            field: budget.fields.versionType.label,
            before: versionTypeName(headBefore?.versionType),
            after: versionTypeName(event.data.versionType),
          },
        ],
      }
    case 'BudgetDeleted':
      return { sentence: 'deleted the budget', changes: [] }
    case 'BudgetRestored':
      return { sentence: 'restored the budget from the bin', changes: [] }
    case 'BudgetMomentNamed':
      return {
        sentence:
          event.data.name === null
            ? `removed the name of version ${event.data.version}`
            : `named version ${event.data.version} “${event.data.name}”`,
        changes: [],
      }
    case 'BudgetSubmitted':
      return { sentence: `submitted version ${event.data.version} for approval`, changes: [] }
    case 'BudgetReturned':
      return { sentence: `returned version ${event.data.version}`, changes: [] }
    case 'BudgetApproved':
      return { sentence: `approved version ${event.data.version}`, changes: [] }
    case 'BudgetElementsSaved':
      return {
        sentence: 'changed the years, tables and assumptions',
        changes: headBefore ? headChanges(headBefore, assertDefined(state.head), nameOf) : [],
      }
    case 'BudgetLocked':
      return { sentence: 'locked the budget', changes: [] }
    case 'StaffContractSaved': {
      const { contract, undoes } = event.data
      const changes = before ? describeContractChanges(before, contract, nameOf) : []
      const added = `${undoes ? 'restored' : 'added'} ${formatContractTitle(contract, nameOf)}`
      const saved = before ? formatContractChange(before, contract, nameOf) : added
      return { sentence: `${undoes ? `undid version ${undoes}: ` : ''}${saved}${formatOwnCost(state, next)}`, changes }
    }
    case 'StaffContractDeleted':
      return {
        sentence: `${event.data.undoes ? `undid version ${event.data.undoes}: removed` : 'deleted'} ${before ? formatContractTitle(before, nameOf) : `the contract ${event.data.id}`}${formatOwnCost(state, next)}`,
        changes: [],
      }
    case 'QuickCalculationSaved':
      return { sentence: `saved the quick calculation ${event.data.calculation.name}`, changes: [] }
    case 'QuickCalculationDeleted':
      return { sentence: 'deleted a quick calculation', changes: [] }
    case 'BudgetEntriesRebased':
      return {
        sentence: `recalculated ${displayCount(event.data.bases.length, 'budget entry', 'budget entries')} after a change to rates, templates or rules`,
        changes: [],
      }
    case 'TransfersPosted':
      return { sentence: describeTransfers(event.data.transfers, event.data.problems), changes: [] }
    case 'LeaveEarningsKept':
      return { sentence: 'recorded earnings before leave', changes: [] }
    case 'LevyAllowanceShared':
      return {
        sentence: event.data.shares.some((share) => share !== null)
          ? 'gave the budget its share of the apprenticeship levy allowance'
          : 'changed pay, so the apprenticeship levy needs recalculating',
        changes: [],
      }
    case 'EmploymentAllowancePosted':
      return { sentence: describeAllowance(event.data), changes: [] }
    case 'StaffContractsRecalculated': {
      const { cause, contracts, totals, saves } = event.data
      const difference = saves ? formatCostDifference(event.data, assertDefined(state.head)) : ''
      if (saves && difference)
        return { sentence: `recalculated after ${displayCount(saves, 'change')} to contracts${difference}`, changes: [] }
      if (contracts?.length === 0) return { sentence: 'recalculated after contracts were deleted', changes: [] }
      const which =
        contracts === null
          ? `${totals.contracts === 1 ? 'the' : 'all'} ${displayCount(totals.contracts, 'contract')}${cause === 'group' ? ' with the budget group' : ''}`
          : displayCount(contracts.length, 'contract')
      const missing = totals.notCalculated ? `, ${totals.notCalculated} not calculated` : ''
      return { sentence: `recalculated ${which}: ${displayMoney(totals.years[0] ?? 0)} in the first year${missing}`, changes: [] }
    }
  }
}

/**
 * The end of a sentence about a saved or deleted contract: its effect on the cost. After a single save, the next
 * event states its effect; after several saves, the recalculation states their combined effect.
 */
function formatOwnCost(state: BudgetState, next: StoredEvent | undefined): string {
  const isOwn = next?.type === 'StaffContractsRecalculated' && next.version === state.version + 1 && !next.data.saves
  return isOwn ? formatCostDifference(next.data, assertDefined(state.head)) : ''
}

function describeAllowance(allowance: EmploymentAllowance): string {
  const { years, problems } = allowance
  if (!years.length) return problems.length ? 'left the Employment Allowance as posted' : 'removed the Employment Allowance from the budget'
  return hasKnownAllowance(allowance) ? 'posted the group’s Employment Allowance' : 'marked the Employment Allowance as not calculated'
}

function describeCreation({ name, locationId, source }: EventOf<'BudgetCreated'>['data'], nameOf: RecordNamer): string {
  const createdWords = source
    ? source.how === 'rollForward'
      ? 'rolled another budget forward to'
      : 'duplicated another budget as'
    : 'created the budget'
  return `${createdWords} ${name} for ${nameOf('location', locationId)}`
}

function versionTypeName(id: number | undefined): string {
  return lookups.budgetVersionTypes.find((type) => type.id === id)?.name ?? ''
}

function headChanges(before: BudgetHead, after: BudgetHead, nameOf: RecordNamer): FieldChange[] {
  return filterChangedFields([
    ...describeFields(
      keysOf(budgetSettingFields).map((name) => [budgetSettingFields[name], before[name], after[name]]),
      nameOf,
    ),
    ['Tables', describeTables(before, nameOf), describeTables(after, nameOf)],
  ])
}
