import { type EmploymentAllowance, isAllowanceKnown } from '../calculation/employmentAllowance.ts'
import { undoStateSince } from '../changes/undoState.ts'
import { lookups } from '../lookups/lookups.ts'
import { budget, settingFields } from '../resources/entities/budget/budget.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayCount, displayMoney } from '../values/format.ts'
import type { ContractId, UserId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'
import type { BudgetHead, StaffContract, StoredContract } from './budget.ts'
import { contractChanges, different, inWords } from './describeContract.ts'
import type { BudgetEvent, EventOf, StoredEvent } from './events.ts'
import { type BudgetState, emptyBudget, evolve } from './evolve.ts'
import type { FieldChange, NameOf } from './fieldChange.ts'
import { tablesInWords, tellItem, tellTransfers } from './items/describeItems.ts'
import { type ItemEvent, isItemDeleted, isItemSaved } from './items/item.ts'

/** One line of a history: who did what when, with before and after of each field. */
export interface HistoryLine {
  version: number
  at: string
  actorId: UserId | null
  sentence: string
  changes: FieldChange[]
  contractId: ContractId | null
  /** The entry, calculation, prediction, pupil numbers or opening balance it is about. */
  itemId: string | null
  /** A save that the person who made it may take back: it stands, and they have changed nothing of the same thing since. */
  undoable: boolean
}

/** Which events of a log are told; the others that are given only say how things stood before. */
export interface HistoryPart {
  versions: ReadonlySet<number>
  /** What touched a contract or item since the first of them, by its id, and the name of the budget, by `name`, in the whole log and in order. */
  since: ReadonlyMap<string, readonly Pick<StoredEvent, 'version' | 'actorId' | 'data'>[]>
  isLocked: boolean
}

/** What an event touches, as `since` knows it. */
export function touchedThing(event: BudgetEvent): string | null {
  if (event.type === 'BudgetRenamed') return 'name'
  const isAboutOne =
    event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' || isItemSaved(event) || isItemDeleted(event)
  return isAboutOne ? event.data.id : null
}

/** The part of a budget's history that some of its events tell, as sentences, newest first. */
export function historyLines(events: readonly StoredEvent[], { versions, since, isLocked }: HistoryPart, nameOf: NameOf): HistoryLine[] {
  const state = emptyBudget()
  const lines: HistoryLine[] = []
  for (const event of events) {
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
    const told =
      isItemSaved(event) || isItemDeleted(event)
        ? tellItem(event, { before: itemBefore, after: state.items.get(event.data.id), head: assertDefined(state.head), nameOf })
        : tell(event, { state, before, headBefore, nameOf })
    const contractId = event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? event.data.id : null
    const touched = touchedThing(event)
    const undoable = touched !== null && !isLocked && isUndoable(event, since.get(touched) ?? [])
    lines.push({ version: event.version, at: event.occurredAt, actorId: event.actorId, contractId, itemId, undoable, ...told })
  }
  return lines.reverse()
}

/** Whether a save stands, and whoever made it has changed nothing of the same thing since. What others changed is looked at when it is undone. */
function isUndoable(event: StoredEvent, touches: readonly Pick<StoredEvent, 'version' | 'actorId' | 'data'>[]): boolean {
  const { isUndone: isTakenBack, since } = undoStateSince(
    event,
    touches.filter((later) => later.version > event.version),
  )
  return !isTakenBack && since.every((later) => later.actorId !== event.actorId)
}

/** What a single contract comes to is what one person costs; the sum of a whole budget is no secret. */
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

/** A history for who may not see staff: that something changed and who changed it, but no person, post or hours. */
export function withoutStaff(lines: readonly HistoryLine[], events: readonly StoredEvent[]): HistoryLine[] {
  const told = new Map(events.map((event) => [event.version, staffSentence(event)]))
  return lines.map((line) => {
    const sentence = told.get(line.version)
    return sentence ? { ...line, sentence, changes: [], contractId: null, undoable: false } : line
  })
}

function tell(
  event: Exclude<BudgetEvent, ItemEvent>,
  {
    state,
    before,
    headBefore,
    nameOf,
  }: { state: BudgetState; before: StoredContract | undefined; headBefore: BudgetHead | undefined; nameOf: NameOf },
): { sentence: string; changes: FieldChange[] } {
  switch (event.type) {
    case 'BudgetCreated':
      return { sentence: tellCreated(event.data, nameOf), changes: [] }
    case 'BudgetRenamed':
      return {
        sentence: `${event.data.undoes ? 'took back the name of' : 'renamed'} the budget`,
        changes: [{ field: budget.fields.name.label, before: headBefore?.name ?? '', after: event.data.name }],
      }
    case 'BudgetVersionTypeChosen':
      return {
        sentence: 'chose what the budget is for',
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
            ? `took the name off version ${event.data.version}`
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
      const changes = before ? contractChanges(before, contract, nameOf) : []
      const verb = undoes ? `took back the save of version ${undoes}:` : before ? 'changed' : 'added'
      return { sentence: `${verb} ${contractInWords(contract, nameOf)}`, changes }
    }
    case 'StaffContractDeleted':
      return {
        sentence: `${event.data.undoes ? `took back the save of version ${event.data.undoes}: removed` : 'deleted'} ${before ? contractInWords(before, nameOf) : `the contract ${event.data.id}`}`,
        changes: [],
      }
    case 'QuickCalculationSaved':
      return { sentence: `saved the quick calculation ${event.data.calculation.name}`, changes: [] }
    case 'QuickCalculationDeleted':
      return { sentence: 'deleted a quick calculation', changes: [] }
    case 'BudgetEntriesRebased':
      return {
        sentence: `worked out ${displayCount(event.data.bases.length, 'budget entry', 'budget entries')} anew, as their rates, templates or rules have changed`,
        changes: [],
      }
    case 'TransfersPosted':
      return { sentence: tellTransfers(event.data.transfers, event.data.problems), changes: [] }
    case 'LeaveEarningsKept':
      return { sentence: 'kept what people on leave earned before it', changes: [] }
    case 'LevyAllowanceShared':
      return {
        sentence: event.data.shares.some((share) => share !== null)
          ? 'gave the budget its share of the apprenticeship levy allowance'
          : 'changed pay, so that the apprenticeship levy is to be calculated again',
        changes: [],
      }
    case 'EmploymentAllowancePosted':
      return { sentence: tellAllowance(event.data), changes: [] }
    case 'StaffContractsRecalculated': {
      const { cause, contracts, totals } = event.data
      const which =
        contracts === null
          ? `${totals.contracts === 1 ? 'the' : 'all'} ${displayCount(totals.contracts, 'contract')}${cause === 'group' ? ' with the budget group' : ''}`
          : displayCount(contracts.length, 'contract')
      const missing = totals.notCalculated ? `, ${totals.notCalculated} not calculated` : ''
      return { sentence: `recalculated ${which}: ${displayMoney(totals.years[0] ?? 0)} in the first year${missing}`, changes: [] }
    }
  }
}

function tellAllowance(allowance: EmploymentAllowance): string {
  const { years, problems } = allowance
  if (!years.length) return problems.length ? 'left the Employment Allowance as posted' : 'removed the Employment Allowance from the budget'
  return isAllowanceKnown(allowance) ? 'posted the group’s Employment Allowance' : 'marked the Employment Allowance as not calculated'
}

function contractInWords({ contractName, staffId }: StaffContract, nameOf: NameOf): string {
  return `the contract ${contractName} of ${staffId === null ? 'the vacancy' : nameOf('staff', staffId)}`
}

function tellCreated({ name, locationId, source }: EventOf<'BudgetCreated'>['data'], nameOf: NameOf): string {
  const made = source
    ? source.how === 'rollForward'
      ? 'rolled another budget forward to'
      : 'duplicated another budget as'
    : 'created the budget'
  return `${made} ${name} for ${nameOf('location', locationId)}`
}

function versionTypeName(id: number | undefined): string {
  return lookups.budgetVersionTypes.find((type) => type.id === id)?.name ?? ''
}

function headChanges(before: BudgetHead, after: BudgetHead, nameOf: NameOf): FieldChange[] {
  return different([
    ...inWords(
      keysOf(settingFields).map((name) => [settingFields[name], before[name], after[name]]),
      nameOf,
    ),
    ['Tables', tablesInWords(before, nameOf), tablesInWords(after, nameOf)],
  ])
}
