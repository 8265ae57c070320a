import { versionType } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { conflict, DomainError, invalid } from '../words/errors.ts'
import type { ApprovedFigures, BudgetHead } from './budget.ts'
import { refuseLocked } from './decide.ts'
import type { ApprovalStep, BudgetEvent } from './events.ts'

function createNameTakenError(message: string): DomainError {
  return new DomainError('conflict', 'duplicate', message, { fields: [{ field: 'name', message }] })
}

/** Names a version of a budget, or removes its name. @param at when the version was written */
export function nameVersion(head: BudgetHead, { version, at, name }: { version: number; at: string; name: string | null }): BudgetEvent[] {
  refuseLocked(head)
  const now = head.moments.find((moment) => moment.version === version)
  if ((now?.name ?? null) === name) return []
  if (name && head.moments.some((moment) => moment.version !== version && moment.name.toLowerCase() === name.toLowerCase()))
    throw createNameTakenError('Another version of this budget has that name.')
  return [{ type: 'BudgetMomentNamed', data: { version, name, at } }]
}

export function submitBudget(head: BudgetHead, decided: ApprovalStep): BudgetEvent[] {
  refuseLocked(head)
  if (head.approval?.state === 'submitted') throw conflict('submitted', 'This budget has been submitted already.')
  return [{ type: 'BudgetSubmitted', data: decided }]
}

/** Returns a submitted budget. A comment must say what to change. */
export function returnBudget(head: BudgetHead, decided: ApprovalStep): BudgetEvent[] {
  refuseLocked(head)
  refuseUnsubmitted(head)
  if (!decided.sealedComment) throw invalid([{ field: 'comment', message: 'Enter what needs to change.' }])
  return [{ type: 'BudgetReturned', data: decided }]
}

/**
 * Approves a submitted budget: names the version and locks the budget permanently (rules.md §15).
 * @param changed whether anything except comments and scenarios has changed since it was submitted
 * @param figures stored with the approval
 * @param others names of other people who may approve it. If there are any, submitters cannot approve their own submission.
 * @throws DomainError 409 if it has changed, because the approver would approve something that was not submitted
 */
export function approveBudget(
  head: BudgetHead,
  {
    decided,
    name,
    changed,
    others,
    figures,
  }: { decided: ApprovalStep; name: string; changed: boolean; others: readonly string[]; figures?: ApprovedFigures },
): BudgetEvent[] {
  refuseLocked(head)
  refuseUnsubmitted(head)
  if (head.approval?.byId === decided.byId && others.length)
    throw conflict('secondPerson', `You submitted this budget yourself, so someone else must approve it: ${joinWithOr(others)}.`)
  if (changed) throw conflict('changed', 'The budget has changed since it was submitted. Ask for it to be submitted again.')
  const { version, at, byId } = decided
  const typed: BudgetEvent[] =
    head.versionType === versionType.approved ? [] : [{ type: 'BudgetVersionTypeChosen', data: { versionType: versionType.approved } }]
  return [
    ...nameVersion(head, { version, at: assertDefined(head.approval).at, name: findFreeVersionName(head, version, name) }),
    ...typed,
    { type: 'BudgetApproved', data: { ...decided, ...(figures && { figures }) } },
    { type: 'BudgetLocked', data: { lockedAt: at, lockedById: byId } },
  ]
}

/** Joins names with “or”. After the first three names, the rest become “others”. */
function joinWithOr(names: readonly string[]): string {
  const shown = names.length > 3 ? [...names.slice(0, 3), 'others'] : [...names]
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}` : assertDefined(shown[0])
}

function refuseUnsubmitted({ approval }: BudgetHead): void {
  if (approval?.state !== 'submitted') throw conflict('notSubmitted', 'This budget has not been submitted for approval.')
}

function findFreeVersionName(head: BudgetHead, version: number, name: string): string {
  const taken = new Set(head.moments.filter((moment) => moment.version !== version).map((moment) => moment.name.toLowerCase()))
  let free = name
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name} (${count})`
  return free
}
