import { versionType } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { conflict, DomainError, invalid } from '../words/errors.ts'
import type { ApprovedFigures, BudgetHead } from './budget.ts'
import { refuseLocked } from './decide.ts'
import type { BudgetEvent, Decided } from './events.ts'

function nameUsed(message: string): DomainError {
  return new DomainError('conflict', 'duplicate', message, { fields: [{ field: 'name', message }] })
}

/** Gives a version of a budget a name, or takes it off. @param at when that version was written */
export function nameMoment(head: BudgetHead, { version, at, name }: { version: number; at: string; name: string | null }): BudgetEvent[] {
  refuseLocked(head)
  const now = head.moments.find((moment) => moment.version === version)
  if ((now?.name ?? null) === name) return []
  if (name && head.moments.some((moment) => moment.version !== version && moment.name.toLowerCase() === name.toLowerCase()))
    throw nameUsed('Another moment of this budget has that name.')
  return [{ type: 'BudgetMomentNamed', data: { version, name, at } }]
}

/** Asks for a budget to be approved as it stands. */
export function submitBudget(head: BudgetHead, decided: Decided): BudgetEvent[] {
  refuseLocked(head)
  if (head.approval?.state === 'submitted') throw conflict('submitted', 'This budget has been submitted already.')
  return [{ type: 'BudgetSubmitted', data: decided }]
}

/** Gives a submitted budget back with what is to be changed. */
export function returnBudget(head: BudgetHead, decided: Decided): BudgetEvent[] {
  refuseLocked(head)
  refuseUnsubmitted(head)
  if (!decided.sealedComment) throw invalid([{ field: 'comment', message: 'Say what is to be changed.' }])
  return [{ type: 'BudgetReturned', data: decided }]
}

/**
 * Approves a submitted budget: the moment gets a name, and the budget is locked for ever (rules.md §15).
 * @param changed whether anything but words about it has changed since it was submitted
 * @param figures what it comes to, which is kept
 * @param others the names of the other people who may approve it: while there are any, nobody approves what they submitted themselves
 * @throws DomainError 409 when it has, for somebody would approve what they were not asked about
 */
export function approveBudget(
  head: BudgetHead,
  {
    decided,
    name,
    changed,
    others,
    figures,
  }: { decided: Decided; name: string; changed: boolean; others: readonly string[]; figures?: ApprovedFigures },
): BudgetEvent[] {
  refuseLocked(head)
  refuseUnsubmitted(head)
  if (head.approval?.byId === decided.byId && others.length)
    throw conflict('secondPerson', `You submitted this budget yourself, so somebody else must approve it: ${oneOf(others)}.`)
  if (changed) throw conflict('changed', 'The budget has changed since it was submitted. Ask for it to be submitted again.')
  const { version, at, byId } = decided
  const typed: BudgetEvent[] =
    head.versionType === versionType.approved ? [] : [{ type: 'BudgetVersionTypeChosen', data: { versionType: versionType.approved } }]
  return [
    ...nameMoment(head, { version, at: assertDefined(head.approval).at, name: freeMoment(head, version, name) }),
    ...typed,
    { type: 'BudgetApproved', data: { ...decided, ...(figures && { figures }) } },
    { type: 'BudgetLocked', data: { lockedAt: at, lockedById: byId } },
  ]
}

/** Some names in words; more than three are not listed. */
function oneOf(names: readonly string[]): string {
  const said = names.length > 3 ? [...names.slice(0, 3), 'others'] : [...names]
  return said.length > 1 ? `${said.slice(0, -1).join(', ')} or ${said.at(-1)}` : assertDefined(said[0])
}

function refuseUnsubmitted({ approval }: BudgetHead): void {
  if (approval?.state !== 'submitted') throw conflict('notSubmitted', 'This budget has not been submitted for approval.')
}

function freeMoment(head: BudgetHead, version: number, name: string): string {
  const taken = new Set(head.moments.filter((moment) => moment.version !== version).map((moment) => moment.name.toLowerCase()))
  let free = name
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name} (${count})`
  return free
}
