import { randomBytes } from 'node:crypto'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { saveStaffContract } from '../../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../../domain/budget/events.ts'
import { lacksMaximumPoint } from '../../../../domain/budget/obstacles.ts'
import { createRefusedImportError } from '../../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../../domain/files/texts.ts'
import { staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { type BudgetId, type ContractId, type OrganisationId, type StaffId, toContractId } from '../../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { RowScope } from '../../../core/calls/scope.ts'
import { type ImportProgressReporter, ignoreProgress } from '../../../resources/import/commands.ts'
import { createImportNames } from '../../../resources/import/names.ts'
import { findContractSaves, recalculateEmployees } from '../../../shared/costing/costs/commands.ts'
import {
  assembleContract,
  buildLineKey,
  groupLinesByContract,
  parseContractLines,
  preferStoredPoints,
  replaceInvalidValues,
  toCellProblem,
  validateContractInput,
} from '../../../shared/staffing/contractFiles/lines.ts'
import { buildNumberKey, createMissingPeople } from '../../../shared/staffing/contractFiles/people.ts'
import { type ContractContext, readContractContext, toUnchangedContractInput } from '../../../shared/staffing/contracts/context.ts'
import { decryptNotes } from '../../../shared/staffing/contracts/notes.ts'
import { loadBudget, refuseWhileBusy } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

/**
 * Imports staff contracts into a budget, all or none. Each line is a salary row. Lines with the same employee number and contract name form
 * one contract, and replace its salary rows. Columns missing from the file do not change. Unknown people are created from the same lines,
 * at the budget's location.
 * @returns the numbers of lines, of new or changed contracts, of new people, and of contracts that get no increments because they have no
 * maximum scale point
 * @throws DomainError with row, column, value and message for each invalid cell and broken rule; 409 for a budget that is locked or being
 * recalculated
 */
export async function runImportContracts(
  call: Call & { scope: RowScope & { organisationId: OrganisationId }; budgetId: BudgetId; actor: Actor },
  rows: readonly Record<string, string>[],
  progress: ImportProgressReporter = ignoreProgress,
): Promise<{ imported: number; created: number; updated: number; people?: number; withoutMaximum?: number }> {
  const { tx, scope, budgetId, actor } = call
  const { organisationId } = scope
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const errors: CellProblem[] = []
  const names = await createImportNames(tx, staffContract, scope)
  const lines = parseContractLines(rows, { names, errors })
  const holders = lines.map(({ values, ...line }) => ({ ...line, employeeNumber: String(values.employeeNumber ?? '').trim() }))
  const importScope = { organisationId, locationId: row.head.locationId, seenAt: scope.locationIds }
  const { added: people, unmade, mistaken } = await createMissingPeople({ tx, actor, ...importScope }, holders, errors)
  const groups = groupLinesByContract(
    lines.filter((line) => !mistaken.has(line.row)),
    errors,
  )
  // If the employee number belongs to someone else, the contract of a line is unknown. Check the rest of each such line by itself.
  for (const line of lines) if (mistaken.has(line.row)) groups.set(`row ${line.row}`, [line])
  const context = await readContractContext(tx, organisationId, row.head)
  const known = new Map(
    context.contracts.map((contract) => [buildLineKey(context.numberOf(contract.staffId), contract.contractName), contract]),
  )
  const taken = collectTakenNames(context)
  const events: BudgetEvent[] = []
  const employees = new Set<StaffId | ContractId>()
  const counts = { created: 0, updated: 0 }
  const wrong = new Map<number, Set<string | null>>()
  const mark = ({ row, column }: CellProblem): unknown => wrong.set(row, (wrong.get(row) ?? new Set()).add(column))
  for (const error of errors) mark(error)
  /** Adds problems found later, except for cells that already have one. */
  const say = (cellProblems: readonly CellProblem[]): void => {
    for (const error of cellProblems.filter(({ row, column }) => !wrong.get(row)?.has(column))) {
      errors.push(error)
      mark(error)
    }
  }
  for (const [index, [key, lines]] of [...groups].entries()) {
    if (index % 100 === 0) await progress('saving', index, groups.size)
    const before = known.get(key)
    const notes = before && !('notes' in assertDefined(lines[0]).values) ? await decryptNotes(tx, organisationId, before) : null
    const rowProblems: CellProblem[] = []
    const isPayScaleReadable = !['Type', 'ContractTypeName'].some((column) => wrong.get(assertDefined(lines[0]).row)?.has(column))
    const given = assembleContract(lines, {
      before: before && toUnchangedContractInput(before, context.numberOf(before.staffId), notes),
      context,
      errors: rowProblems,
      isPayScaleReadable,
    })
    const isHeld =
      !mistaken.has(assertDefined(lines[0]).row) && !unmade.has(buildNumberKey(String(assertDefined(lines[0]).values.employeeNumber ?? '')))
    // If the person could not be created, that has been reported. Leave out the employee number, so that it is not reported again.
    const input = validateContractInput(isHeld ? given : { ...given, employeeNumber: null }, lines, rowProblems)
    say(rowProblems)
    // The rules are also checked for a contract with invalid values, so that the user learns of all problems at once.
    const checked = input ?? replaceInvalidValues(given)
    if (!checked) continue
    const isWhole = input && isHeld && isPayScaleReadable && !lines.some((line) => wrong.has(line.row))
    const id = before?.id ?? toContractId(mongoIdFromBytes(randomBytes(12)))
    const saved = preferStoredPoints(isHeld ? checked : { ...checked, employeeNumber: null }, before, context.offered)
    const facts = await context.facts(saved, before, taken.of)
    try {
      const decided = saveStaffContract(row.head, { before, id, input: saved, facts })
      if (!isWhole || !decided.length) continue
      events.push(...decided)
      for (const employee of [facts.staffId ?? id, before?.staffId ?? id]) employees.add(employee)
      counts[before ? 'updated' : 'created']++
      taken.add(facts.staffId, id, saved.contractName)
    } catch (error) {
      if (!(error instanceof DomainError) || (error.kind === 'conflict' && !error.fields.length)) throw error
      // Without a valid pay scale, it is unknown whether a point belongs to it.
      const isKnown = ({ column }: CellProblem): boolean => isPayScaleReadable || (column !== 'Type' && column !== 'ScalePoint')
      say(error.fields.map(({ field, message }) => toCellProblem(field, message, lines)).filter(isKnown))
    }
  }
  if (errors.length)
    throw createRefusedImportError(
      errors.sort((a, b) => a.row - b.row),
      rows.length,
    )
  if (events.length) {
    await commitEvents(call, row, { events })
    await recalculateEmployees({ tx, organisationId, budgetId, actor }, [...employees], {
      saves: findContractSaves(events, context.contracts),
    })
  }
  const withoutMaximum = countWithoutMaximum(row.head, events, context.offered)
  return { imported: rows.length, ...counts, ...(people && { people }), ...(withoutMaximum && { withoutMaximum }) }
}

/** How many of the saved contracts get no increments only because they have no maximum scale point. */
function countWithoutMaximum(head: BudgetHead, events: readonly BudgetEvent[], offered: ContractContext['offered']): number {
  const highest = new Map<string, number>()
  for (const { scale, increment } of offered) highest.set(scale, Math.max(increment, highest.get(scale) ?? 0))
  return events.filter((event) => event.type === 'StaffContractSaved' && lacksMaximumPoint(head, event.data.contract, highest)).length
}

/** The contract names in use by each staff member, including those used so far by the import. */
function collectTakenNames({ contracts }: ContractContext): {
  of: (staffId: StaffId, except: ContractId | undefined) => string[]
  add: (staffId: StaffId | null, id: ContractId, name: string) => void
} {
  const byStaff = new Map<StaffId, Map<ContractId, string>>()
  const add = (staffId: StaffId | null, id: ContractId, name: string): void => {
    if (staffId !== null) byStaff.set(staffId, (byStaff.get(staffId) ?? new Map<ContractId, string>()).set(id, name))
  }
  for (const contract of contracts) add(contract.staffId, contract.id, contract.contractName)
  return { of: (staffId, except) => [...(byStaff.get(staffId) ?? [])].filter(([id]) => id !== except).map(([, name]) => name), add }
}
