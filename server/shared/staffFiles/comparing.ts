import { randomBytes } from 'node:crypto'
import type { StaffContractInput, StoredContract } from '../../../domain/budget/budget.ts'
import { type ContractFacts, saveStaffContract } from '../../../domain/budget/decide.ts'
import { describeContractChanges, describeFields } from '../../../domain/budget/describeContract.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import type { FieldChange, RecordNamer } from '../../../domain/budget/fieldChange.ts'
import { matchContracts } from '../../../domain/budget/staffChanges/matchContracts.ts'
import { applyReportedPay, listRowsPlannedAfter, type ReportedPay } from '../../../domain/budget/staffChanges/reportedPay.ts'
import { findRowIncrement } from '../../../domain/calculation/staffing/salary.ts'
import type { CellProblem } from '../../../domain/files/texts.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import { employeeFields } from '../../../domain/resources/contractFile.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import { createEmptyValues } from '../../../domain/resources/schema.ts'
import { appliesOutsideLocations } from '../../../domain/resources/sharing.ts'
import { staffFile } from '../../../domain/resources/staffFile.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { addMonths, toDay } from '../../../domain/values/calendar.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { type ContractId, type OrganisationId, type StaffId, toContractId, toStaffId } from '../../../domain/values/ids.ts'
import { isKeyOf, keysOf } from '../../../domain/values/keysOf.ts'
import { mongoIdFromBytes } from '../../../domain/values/mongoId.ts'
import { numberOrNull, textOrNull } from '../../../domain/values/unknownValues.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { digestWithKey, ensureOrganisationKey } from '../../core/database/vault.ts'
import { createImportNames } from '../../resources/import/names.ts'
import { type StaffMember, type StaffMemberInput, worksAt } from '../../streams/budget/people.ts'
import { readHistoryNames } from '../budgetHistory/queries.ts'
import { readStaffMembers, validateStaff } from '../staff/queries.ts'
import {
  assembleContract,
  type ContractFileLine,
  describeUnclearPoint,
  findPointKind,
  findPoints,
  groupLinesByContract,
  parseContractLines,
  preferStoredPoints,
  validateContractInput,
} from '../staffing/contractFiles/lines.ts'
import { buildNumberKey } from '../staffing/contractFiles/people.ts'
import { type ContractContext, readContractContext, toUnchangedContractInput } from '../staffing/contracts/context.ts'
import { decryptNotes } from '../staffing/contracts/notes.ts'

export const proposalKinds = ['starter', 'changed', 'leaver', 'person'] as const
export type ProposalKind = (typeof proposalKinds)[number]

/** One difference between HR data and a budget, with the change that would resolve it. */
export interface StaffChangeProposal {
  kind: ProposalKind
  /** Identifies the person and the whole change, so a different change has a different token. */
  token: string
  /** The numbers of the file's rows that cause the change; empty for a leaver, who is not in the file. */
  rows: number[]
  employeeNumber: string
  /** The person's name; empty if the employee number is unknown and the file has no name. */
  personName: string
  contractId: ContractId | null
  contractName: string | null
  changes: FieldChange[]
  /** Further facts for the user, in sentences. */
  notes: string[]
  /** Why the change cannot be accepted as it is. */
  problems: CellProblem[]
  lines: ContractFileLine[]
  contract: { input: StaffContractInput; before: StoredContract | undefined } | null
  member: StaffMemberInput | null
  /** An existing person who does not yet work at the budget's location. */
  comesHere: StaffMember | null
}

type Draft = Omit<StaffChangeProposal, 'token' | 'changes'> & { after: StoredContract | null; memberBefore: StaffMember | null }

/** The result of comparing a file with a budget. */
export interface StaffComparison {
  proposals: StaffChangeProposal[]
  /** How many contracts agree with the file. */
  same: number
  /** How many rows have no employee number, so that they cannot be assigned to a person. */
  withoutNumber: number
}

interface StatedValues {
  values: Record<string, unknown>
  salary: Record<string, unknown>
  holder: Record<string, unknown>
}

const columns = listColumns(staffFile)

/** The values that a line of the file gives; empty cells are left out. */
function readStatedValues({ values, salary, holder, cells }: ContractFileLine): StatedValues {
  const stated: StatedValues = { values: {}, salary: {}, holder: {} }
  for (const { heading, field, part } of columns) {
    if (!cells[heading]?.trim()) continue
    if (part) stated.salary[part] = salary[part]
    else if (field in employeeFields) stated.holder[field] = holder[field]
    else stated.values[field] = values[field]
  }
  return stated
}

const problem = (line: ContractFileLine | undefined, message: string, column: string | null = null): CellProblem => ({
  row: line?.row ?? 0,
  column,
  value: column && line ? (line.cells[column] ?? null) : null,
  message,
})

/** Runs a decision; if it is refused, adds the reasons to the problems and returns undefined. */
async function collectRefusals<Result>(
  lines: readonly ContractFileLine[],
  problems: CellProblem[],
  decide: () => Result | Promise<Result>,
) {
  try {
    return await decide()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const sentences = error.fields.length ? error.fields.map(({ message }) => message) : [error.message]
    for (const message of sentences) problems.push(problem(lines[0], message))
    return undefined
  }
}

/** The data that a comparison is based on: a budget, the existing people, and the day of the file. */
interface ComparisonContext {
  tx: OrganisationTx
  scope: RowScope & { organisationId: OrganisationId }
  row: BudgetRow
  day: string
  context: ContractContext
  members: readonly StaffMember[]
  errors: readonly CellProblem[]
}

class Comparison {
  readonly tx: OrganisationTx
  readonly scope: ComparisonContext['scope']
  readonly row: BudgetRow
  readonly day: string
  readonly context: ContractContext
  readonly errors: readonly CellProblem[]
  private readonly members: Map<string, StaffMember>
  private readonly namesTaken: ReadonlyMap<StaffId, readonly { id: ContractId; name: string }[]>
  constructor({ tx, scope, row, day, context, members, errors }: ComparisonContext) {
    this.tx = tx
    this.scope = scope
    this.row = row
    this.day = day
    this.context = context
    this.errors = errors
    this.members = new Map(members.map((member) => [buildNumberKey(member.employeeNumber), member]))
    const byStaff = new Map<StaffId, { id: ContractId; name: string }[]>()
    for (const { id, staffId, contractName } of context.contracts)
      if (staffId !== null) byStaff.set(staffId, [...(byStaff.get(staffId) ?? []), { id, name: contractName }])
    this.namesTaken = byStaff
  }

  memberOf(employeeNumber: string): StaffMember | undefined {
    return this.members.get(buildNumberKey(employeeNumber))
  }

  problemsOf(lines: readonly ContractFileLine[]): CellProblem[] {
    const rows = new Set(lines.map(({ row }) => row))
    return this.errors.filter(({ row }) => rows.has(row))
  }

  readonly names = (staffId: StaffId, except: ContractId | undefined): string[] =>
    (this.namesTaken.get(staffId) ?? []).filter(({ id }) => id !== except).map(({ name }) => name)

  /** A function that returns the pay point of a salary row on the day of the file, after increments, from the budget's tables. */
  private pointOn(contract: Pick<StoredContract, 'contractTypeId' | 'maximumScalePoint'>) {
    return ({ scalePoint, effectiveDate }: StoredContract['salary'][number], day: string) => {
      if (!scalePoint) return null
      const month = this.context.incrementMonthOf(contract.contractTypeId)
      const increment = findRowIncrement(month, { maximum: contract.maximumScalePoint, scalePoint, effectiveDate, day })
      const found = this.context.offered
        .filter((point) => point.kind === scalePoint.kind && point.scale === scalePoint.scale && point.increment === increment)
        .sort((a, b) => Number(b.newest) - Number(a.newest))[0]
      if (!found) return increment === scalePoint.increment ? scalePoint : { ...scalePoint, increment }
      const { id, kind, scale } = found
      return { id, kind, scale, increment }
    }
  }

  /** The proposed change of an existing contract. */
  async changed(before: StoredContract, lines: readonly ContractFileLine[]): Promise<Draft> {
    const { tx, scope, context, day } = this
    const problems = this.problemsOf(lines)
    const number = context.numberOf(before.staffId)
    const stated = lines.map(readStatedValues)
    const { contractName: _name, employeeNumber: _number, maximumScalePoint, ...values } = assertDefined(stated[0]).values
    const kind = findPointKind(numberOrNull(values.type) ?? before.type)
    const find = (text: unknown, line: ContractFileLine | undefined, column: string) => {
      const found = findPoints(context.offered, kind, String(text))
      const point = found.length === 1 ? found[0] : undefined
      if (!point) problems.push(problem(line, describeUnclearPoint(found), column))
      return point ? { id: point.id, kind: point.kind, scale: point.scale, increment: point.increment } : null
    }
    const maximum = maximumScalePoint === undefined ? null : find(maximumScalePoint, lines[0], 'MaximumScalePoint')
    const pays = stated.map(({ salary: { effectiveDate, scalePoint, ...pay } }, index): ReportedPay => {
      const point = scalePoint === undefined ? undefined : find(scalePoint, lines[index], 'ScalePoint')
      return {
        effectiveDate: textOrNull(effectiveDate),
        values: { ...pay, ...(point && { scalePoint: point }) },
      }
    })
    const isPaid = pays.some((pay) => Object.keys(pay.values).length)
    const rows = isPaid
      ? applyReportedPay(before.salary, {
          reported: pays.filter((pay) => Object.keys(pay.values).length),
          day,
          pointOn: this.pointOn(before),
        })
      : before.salary
    const given = {
      ...toUnchangedContractInput(before, number, await decryptNotes(tx, scope.organisationId, before)),
      ...values,
      ...(maximum && { maximumScalePoint: maximum.id }),
      salary: rows.map((row) => ({ ...row, scalePoint: row.scalePoint?.id ?? null })),
    }
    const input = problems.length ? null : validateContractInput(given, lines, problems)
    const preferred = input && preferStoredPoints(input, before, context.offered)
    const after = preferred && (await collectRefusals(lines, problems, () => this.decided(preferred, before)))
    const planned = rows === before.salary ? [] : listRowsPlannedAfter(before.salary, day)
    return {
      ...this.draft('changed', lines, problems),
      employeeNumber: number ?? '',
      contractId: before.id,
      contractName: before.contractName,
      contract: preferred && { input: preferred, before },
      notes: planned.length
        ? [`Later changes from ${planned.map(({ effectiveDate }) => displayDate(effectiveDate)).join(' and ')} are kept.`]
        : [],
      after: after ?? null,
    }
  }

  /** The proposed new contract for an employee who does not have it in the budget. */
  async starter(lines: readonly ContractFileLine[]): Promise<Draft> {
    const { context, row, scope } = this
    const problems = this.problemsOf(lines)
    const first = assertDefined(lines[0])
    const stated = lines.map((line) => ({ ...line, ...readStatedValues(line) }))
    const number = String(first.values.employeeNumber)
    const member = this.memberOf(number)
    const { locationId } = row.head
    const isElsewhere = Boolean(member && !worksAt(member, [locationId]))
    if (isElsewhere && scope.locationIds)
      problems.push(
        problem(
          first,
          'The person with this number works at another location. Ask someone with access to all locations to accept the change.',
        ),
      )
    if (!member && !assertDefined(stated[0]).holder.surname && !assertDefined(stated[0]).holder.forename)
      problems.push(problem(first, 'No one has this employee number. Include forename and surname in the file, or add the person first.'))
    const notes: string[] = []
    const usual = this.usual(assertDefined(stated[0]).values)
    if (usual) notes.push(`Details missing from the file are copied from the other contracts ${usual.like}, which all agree.`)
    if (isElsewhere) notes.push('The person works at another location, and is added to this one as well.')
    const startDate = textOrNull(assertDefined(stated[0]).values.startDate)
    const whole = stated.map((line) => ({
      ...line,
      values: { ...line.values, ...usual?.values },
      salary: { effectiveDate: startDate, ...line.salary },
    }))
    const given = assembleContract(whole, { context, errors: problems })
    const input = problems.length ? null : validateContractInput(given, lines, problems)
    // A person who is created only when the change is accepted has no id yet.
    const staffId = member?.id ?? toStaffId(-1)
    const holder = { staffId, otherNames: this.names(staffId, undefined) }
    const after = input && (await collectRefusals(lines, problems, () => this.decided(input, undefined, holder)))
    return {
      ...this.draft('starter', lines, problems),
      employeeNumber: number,
      contractName: textOrNull(first.values.contractName),
      contract: input && { input, before: undefined },
      comesHere: isElsewhere ? (member ?? null) : null,
      notes,
      after: after ?? null,
    }
  }

  /**
   * The contract type and payroll codes for a new contract, if the file omits them. If other contracts have its name, the values that all
   * of these share; otherwise the values that all contracts of its type share.
   */
  private usual(stated: Record<string, unknown>): { values: Record<string, unknown>; like: string } | null {
    if (stated.contractTypeName !== undefined && stated.serviceTerms !== undefined) return null
    const name = String(stated.contractName ?? '').toLowerCase()
    const { contracts } = this.context
    const called = contracts.filter((contract) => contract.contractName.toLowerCase() === name)
    const ofType = contracts.filter((contract) => contract.contractTypeId === stated.contractTypeName)
    const others = called.length ? called : ofType
    const key = ({ contractTypeId, serviceTerms }: StoredContract): string =>
      canonicalJson([contractTypeId, [...serviceTerms].sort((a, b) => a - b)])
    const [first] = others
    const type = stated.contractTypeName ?? first?.contractTypeId
    if (!first || type !== first.contractTypeId || others.some((one) => key(one) !== key(first))) return null
    return {
      values: {
        ...(stated.contractTypeName === undefined && { contractTypeName: first.contractTypeId }),
        ...(stated.serviceTerms === undefined && { serviceTerms: first.serviceTerms }),
      },
      like: called.length ? `called ${first.contractName}` : 'of its type',
    }
  }

  leaver(contract: StoredContract): Draft {
    const number = this.context.numberOf(contract.staffId) ?? ''
    return {
      ...this.draft('leaver', [], []),
      employeeNumber: number,
      contractId: contract.id,
      contractName: contract.contractName,
      contract: null,
      after: null,
    }
  }

  /** The proposed corrections of an existing person's data; null if the file agrees. */
  person(number: string, lines: readonly ContractFileLine[]): Draft | null {
    const member = this.memberOf(number)
    if (!member || member.erased || !worksAt(member, [this.row.head.locationId])) return null
    const problems: CellProblem[] = []
    const holder: Record<string, unknown> = {}
    for (const line of lines)
      for (const [name, value] of Object.entries(readStatedValues(line).holder)) {
        if (holder[name] !== undefined && holder[name] !== value)
          problems.push(
            problem(
              line,
              `${isKeyOf(staffMember.fields, name) ? staffMember.fields[name].label : name} differs from row ${assertDefined(lines[0]).row}, which is about the same person.`,
            ),
          )
        holder[name] ??= value
      }
    const { erased: _erased, created: _created, ...known } = member
    let after: StaffMemberInput | null = null
    try {
      after = validateStaff({ ...known, ...holder })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // An invalid cell of this row is already reported with its contract.
      if (!Object.keys(holder).length) throw error
      for (const { message } of error.fields) problems.push(problem(lines[0], message))
    }
    const isSame = after && keysOf(employeeFields).every((name) => after[name] === member[name])
    if (isSame && !problems.length) return null
    if (appliesOutsideLocations(staffMember, this.scope.locationIds, member))
      problems.push(
        problem(lines[0], 'This person may also work at other locations. Someone with access to all locations can accept this.'),
      )
    return { ...this.draft('person', lines, problems), employeeNumber: member.employeeNumber, member: after, memberBefore: member }
  }

  private draft(kind: ProposalKind, lines: readonly ContractFileLine[], problems: CellProblem[]): Draft {
    return {
      kind,
      rows: lines.map(({ row }) => row),
      employeeNumber: '',
      personName: '',
      contractId: null,
      contractName: null,
      notes: [],
      problems,
      lines: [...lines],
      contract: null,
      member: null,
      comesHere: null,
      after: null,
      memberBefore: null,
    }
  }

  /** The contract that a save would produce; null if nothing changes. */
  private async decided(
    input: StaffContractInput,
    before: StoredContract | undefined,
    holder: Partial<ContractFacts> = {},
  ): Promise<StoredContract | null> {
    const facts = { ...(await this.context.facts(input, before, this.names)), ...holder }
    const [event] = saveStaffContract(this.row.head, {
      before,
      id: before?.id ?? toContractId(mongoIdFromBytes(randomBytes(12))),
      input,
      facts,
    })
    if (event?.type !== 'StaffContractSaved') return null
    return { ...event.data.contract, version: 0, savedAt: '', created: '' }
  }
}

/** The fields of a new contract to show to the user; empty and "No" values are omitted. */
function newFields(after: StoredContract, nameOf: RecordNamer): FieldChange[] {
  const { contractName, type } = after
  const blank: StoredContract = {
    ...after,
    ...createEmptyValues(staffContract.fields),
    contractName,
    type,
    contractTypeId: -1,
    sealedNotes: null,
  }
  return describeContractChanges({ ...blank, staffId: null }, after, nameOf)
    .slice(1)
    .map(({ field, after: now }) => ({ field, before: 'none', after: now }))
}

const wordsOf = ({ forename, surname }: Pick<StaffMember, 'forename' | 'surname'>): string => `${forename} ${surname}`.trim()

/**
 * Compares an HR system's data on a location for a day with one of its budgets. Empty cells and missing columns are ignored. Vacancies,
 * savings by attrition, and contracts that are not in force on the day or end within a month of it do not count as leavers.
 * @param rows with the headings of `staffFile`, without the location
 */
export async function compareStaff(
  tx: OrganisationTx,
  scope: RowScope & { organisationId: OrganisationId },
  { row, rows, day }: { row: BudgetRow; rows: readonly Record<string, string>[]; day: string },
): Promise<StaffComparison> {
  const { organisationId } = scope
  const errors: CellProblem[] = []
  const read = parseContractLines(rows, { names: await createImportNames(tx, staffFile, scope), errors, file: staffFile })
  const lines = read.filter(({ values }) => String(values.employeeNumber ?? '').trim())
  const groups = [...groupLinesByContract(lines, errors).values()]
  const context = await readContractContext(tx, organisationId, row.head)
  const comparison = new Comparison({ tx, scope, row, day, context, members: await readStaffMembers(tx, organisationId), errors })
  const drafts: Draft[] = []
  const held = context.contracts.filter(({ staffId }) => context.numberOf(staffId))
  const { matched, unreported } = matchContracts(
    groups.map((group) => ({
      employee: String(assertDefined(group[0]).values.employeeNumber),
      contractName: String(assertDefined(group[0]).values.contractName ?? ''),
    })),
    held.map(({ id, staffId, contractName }) => ({ id, employee: assertDefined(context.numberOf(staffId)), contractName })),
  )
  let same = 0
  for (const [index, group] of groups.entries()) {
    const before = context.contracts.find(({ id }) => id === matched.get(index))
    const end = assertDefined(group[0]).values.endDate
    // An employee who left before the budget starts is not a starter.
    if (!before && typeof end === 'string' && end < `${row.head.firstYear}-${String(row.head.startMonth).padStart(2, '0')}-01`) continue
    const draft = before ? await comparison.changed(before, group) : await comparison.starter(group)
    if (draft.after || draft.problems.length) drafts.push(draft)
    else same++
  }
  for (const contract of held) {
    const { startDate, endDate, attritionContract } = contract
    const stays = startDate <= day && (endDate === null || toDay(endDate) > addMonths(toDay(day), 1))
    if (unreported.has(contract.id) && stays && !attritionContract) drafts.push(comparison.leaver(contract))
  }
  const byNumber = new Map<string, ContractFileLine[]>()
  for (const line of lines) {
    const number = buildNumberKey(String(line.values.employeeNumber))
    byNumber.set(number, [...(byNumber.get(number) ?? []), line])
  }
  for (const [number, employeeLines] of byNumber) {
    const draft = comparison.person(number, employeeLines)
    if (draft) drafts.push(draft)
  }
  const events = drafts.flatMap(({ after, contract }) =>
    [after, contract?.before].flatMap((one): BudgetEvent[] =>
      one ? [{ type: 'StaffContractSaved', data: { id: one.id, contract: one } }] : [],
    ),
  )
  const nameOf = await readHistoryNames(tx, organisationId, events)
  const key = await ensureOrganisationKey(tx, organisationId)
  const proposals = drafts.map(({ after, memberBefore, ...draft }): StaffChangeProposal => {
    const changes = after
      ? draft.contract?.before
        ? describeContractChanges(draft.contract.before, after, nameOf)
        : newFields(after, nameOf)
      : memberBefore && draft.member
        ? personChanges(memberBefore, draft.member, nameOf)
        : []
    const member = comparison.memberOf(draft.employeeNumber)
    const known = member && (!scope.locationIds || worksAt(member, [row.head.locationId])) ? member : undefined
    const holderValues = draft.lines[0]?.holder
    const personName = known ? wordsOf(known) : [holderValues?.forename, holderValues?.surname].filter(Boolean).join(' ')
    const meaning = [draft.kind, buildNumberKey(draft.employeeNumber), draft.contractId ?? draft.contractName, changes]
    return { ...draft, changes, personName, token: digestWithKey(key, canonicalJson(meaning)).slice(0, 32) }
  })
  return { proposals, same, withoutNumber: read.length - lines.length }
}

function personChanges(before: StaffMember, after: StaffMemberInput, nameOf: RecordNamer): FieldChange[] {
  const names = keysOf(employeeFields)
  return describeFields(
    names.map((name) => [staffMember.fields[name], before[name], after[name]]),
    nameOf,
  )
    .filter(([, was, is]) => was !== is)
    .map(([field, was, is]) => ({ field, before: was, after: is }))
}
