import { displayDate, money } from '../format.ts'
import type { BudgetHead, ContractRow, StoredContract } from './budget.ts'
import type { StoredEvent } from './events.ts'
import { type BudgetState, emptyBudget, evolve } from './evolve.ts'

/** Names for ids in a history; unknown ids read as themselves. */
export type NameOf = (
  kind:
    | 'location'
    | 'contractType'
    | 'staffAssumptions'
    | 'allowance'
    | 'serviceTerm'
    | 'fundCode'
    | 'analysisTag'
    | 'adminTable'
    | 'staff',
  id: number,
) => string

/** One field as it was and as it is. */
export interface FieldChange {
  field: string
  before: string
  after: string
}

/** One line of a history: who did what when, with before and after of each field. */
export interface HistoryLine {
  version: number
  at: string
  actorId: number | null
  sentence: string
  changes: FieldChange[]
  contractId: string | null
  /** A save that the person who made it may take back while nothing newer touched it. */
  undoable: boolean
}

const point = (kept: ContractRow['scalePoint']): string => (kept ? `${kept.scale} ${kept.increment}` : 'none')
const yesNo = (flag: boolean): string => (flag ? 'Yes' : 'No')
const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === '' ? 'none' : String(value)

/** The history of a budget as sentences, newest first, folded from its events. */
export function historyLines(events: readonly StoredEvent[], nameOf: NameOf): HistoryLine[] {
  const state = emptyBudget()
  const lastTouch = new Map<string, number>()
  const lines: HistoryLine[] = []
  for (const event of events) {
    const before =
      event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? state.contracts.get(event.data.id) : undefined
    const headBefore = state.head
    evolve(state, event)
    const told = tell(event, state, before, headBefore, nameOf)
    const contractId = event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted' ? event.data.id : null
    if (contractId) lastTouch.set(contractId, event.version)
    if (event.type === 'BudgetRenamed') lastTouch.set('name', event.version)
    lines.push({ version: event.version, at: event.occurredAt, actorId: event.actorId, contractId, undoable: false, ...told })
  }
  for (const line of lines) {
    const event = events[line.version - events[0]!.version]!
    const key = event.type === 'BudgetRenamed' ? 'name' : line.contractId
    line.undoable = key !== null && lastTouch.get(key) === line.version && !state.head?.locked
  }
  return lines.reverse()
}

function tell(
  event: StoredEvent,
  state: BudgetState,
  before: StoredContract | undefined,
  headBefore: BudgetHead | undefined,
  nameOf: NameOf,
): { sentence: string; changes: FieldChange[] } {
  switch (event.type) {
    case 'BudgetCreated':
      return { sentence: `created the budget ${event.data.name} for ${nameOf('location', event.data.locationId)}`, changes: [] }
    case 'BudgetRenamed':
      return {
        sentence: `${event.data.undoes ? 'took back the name of' : 'renamed'} the budget`,
        changes: [{ field: 'Name', before: headBefore?.name ?? '', after: event.data.name }],
      }
    case 'BudgetElementsSaved':
      return {
        sentence: 'changed the years, tables and assumptions',
        changes: headBefore ? headChanges(headBefore, state.head!, nameOf) : [],
      }
    case 'BudgetLocked':
      return { sentence: 'locked the budget', changes: [] }
    case 'StaffContractSaved': {
      const { contract, undoes } = event.data
      const whose = contract.staffId === null ? 'the vacancy' : nameOf('staff', contract.staffId)
      const changes = before ? contractChanges(before, contract as StoredContract, nameOf) : []
      const verb = undoes ? `took back the save of version ${undoes}:` : before ? 'changed' : 'added'
      return { sentence: `${verb} the contract ${contract.contractName} of ${whose}`, changes }
    }
    case 'StaffContractDeleted':
      return {
        sentence: `${event.data.undoes ? `took back the save of version ${event.data.undoes}: removed` : 'deleted'} the contract ${before?.contractName ?? event.data.id}`,
        changes: [],
      }
    case 'QuickCalculationSaved':
      return { sentence: `saved the quick calculation ${event.data.calculation.name}`, changes: [] }
    case 'QuickCalculationDeleted':
      return { sentence: 'deleted a quick calculation', changes: [] }
    case 'LevyAllowanceShared':
      return { sentence: 'was given its share of the apprenticeship levy allowance', changes: [] }
    case 'StaffContractsRecalculated': {
      const { cause, contracts, totals } = event.data
      const which =
        cause === 'group'
          ? `all ${totals.contracts} contracts with the budget group`
          : `${contracts?.length ?? 0} ${contracts?.length === 1 ? 'contract' : 'contracts'}`
      const missing = totals.notCalculated ? `, ${totals.notCalculated} not calculated` : ''
      return { sentence: `recalculated ${which}: ${money(totals.years[0] ?? 0)} in the first year${missing}`, changes: [] }
    }
  }
}

function headChanges(before: BudgetHead, after: BudgetHead, nameOf: NameOf): FieldChange[] {
  const tables = (head: BudgetHead): string =>
    Object.values(head.elements)
      .flat()
      .map((row) => `${nameOf('adminTable', row.adminTableId)} from ${displayDate(row.effectiveDate)}`)
      .join('; ')
  return different([
    ['Number of years', String(before.numberOfYears), String(after.numberOfYears)],
    ['Staff assumptions', nameOf('staffAssumptions', before.staffAssumptionsId), nameOf('staffAssumptions', after.staffAssumptionsId)],
    ['Contract types', names(before.contractTypeIds, 'contractType', nameOf), names(after.contractTypeIds, 'contractType', nameOf)],
    ['Tables', tables(before), tables(after)],
  ])
}

function names(ids: readonly number[], kind: Parameters<NameOf>[0], nameOf: NameOf): string {
  return ids.length ? ids.map((id) => nameOf(kind, id)).join(', ') : 'none'
}

function different(rows: [string, string, string][]): FieldChange[] {
  return rows.filter(([, before, after]) => before !== after).map(([field, before, after]) => ({ field, before, after }))
}

/** The fields in which two versions of a contract differ, in words. */
export function contractChanges(before: StoredContract, after: StoredContract, nameOf: NameOf): FieldChange[] {
  const fields = (contract: StoredContract): [string, string][] => [
    ['Staff member', contract.staffId === null ? 'vacancy' : nameOf('staff', contract.staffId)],
    ['Contract name', contract.contractName],
    ['Contract type', nameOf('contractType', contract.contractTypeId)],
    ['Start date', displayDate(contract.startDate)],
    ['End date', displayDate(contract.endDate) || 'none'],
    ['Position', text(contract.position)],
    ['Department', text(contract.department)],
    ['Maximum scale point', point(contract.maximumScalePoint)],
    ['Apprentice', yesNo(contract.apprentice)],
    ['Attrition contract', yesNo(contract.attritionContract)],
    ['Payroll code', names(contract.serviceTerms, 'serviceTerm', nameOf)],
    ['Analysis tags', names(contract.analysisTags, 'analysisTag', nameOf)],
    ['Fund codes', contract.fundCodes.map((share) => `${nameOf('fundCode', share.fundCodeId)} ${share.percentage} %`).join(', ') || 'none'],
  ]
  const [a, b] = [fields(before), fields(after)]
  const changes = different(a.map(([field, value], index) => [field, value, b[index]![1]]))
  if (before.sealedNotes !== after.sealedNotes)
    changes.push({ field: 'Notes', before: before.sealedNotes ? 'a note' : 'none', after: after.sealedNotes ? 'another note' : 'none' })
  return [...changes, ...rowChanges(before.salary, after.salary, nameOf)]
}

function rowChanges(before: readonly ContractRow[], after: readonly ContractRow[], nameOf: NameOf): FieldChange[] {
  const cells = (row: ContractRow): [string, string][] => [
    ['scale point', point(row.scalePoint)],
    ['spot or adjustment', row.spotAdjustment === null ? 'none' : money(Math.round(row.spotAdjustment * 100))],
    ['FTE', text(row.fte)],
    ['hours', text(row.hoursPerWeek)],
    ['weeks', text(row.weeksPerYear)],
    ['employer pension', yesNo(row.erPension)],
    ['allowances', names(row.allowances, 'allowance', nameOf)],
    ['cease date', displayDate(row.calculationCeaseDate) || 'none'],
  ]
  const whole = (row: ContractRow): string =>
    cells(row)
      .filter(([, value]) => value !== 'none')
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  const changes: FieldChange[] = []
  for (const row of before) {
    const kept = after.find((other) => other.effectiveDate === row.effectiveDate)
    const when = `Salary from ${displayDate(row.effectiveDate)}`
    if (!kept) changes.push({ field: when, before: whole(row), after: 'removed' })
    else {
      const now = cells(kept)
      changes.push(...different(cells(row).map(([name, value], index) => [`${when}: ${name}`, value, now[index]![1]])))
    }
  }
  for (const row of after)
    if (!before.some((other) => other.effectiveDate === row.effectiveDate))
      changes.push({ field: `Salary from ${displayDate(row.effectiveDate)}`, before: 'none', after: whole(row) })
  return changes
}
