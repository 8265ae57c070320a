import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { budgetMongoId, groupMongoId } from '../../../../domain/budget/budget.ts'
import {
  groupRecalculationPermissions,
  hasAnyPermission,
  listViewPermissions,
  type PermissionHolder,
} from '../../../../domain/people/permissions.ts'
import { type BudgetId, toBudgetGroupId } from '../../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import { conflict, DomainError } from '../../../../domain/words/errors.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { publishLiveMessage } from '../../../core/live/announce.ts'
import {
  type AllowanceClaim,
  deleteGroup,
  isSameClaim,
  noClaim,
  refuseStaleGroup,
  saveGroup,
} from '../../../shared/budgetGroups/commands.ts'
import {
  listVisibleGroups,
  loadGroupToChange,
  readRecalculationNeed,
  readRecalculationProgress,
  readVisibleGroup,
  refuseHiddenBudgets,
  selectRunningRecalculations,
} from '../../../shared/budgetGroups/queries.ts'
import { loadVisibleBudget } from '../../../shared/budgets/queries.ts'
import { announceRecalculationEnd } from '../../../shared/recalculation/announce.ts'
import { beginRecalculation, cancelRecalculation } from '../../../shared/recalculation/commands.ts'
import { recalculationEvent } from '../../../shared/recalculation/replies.ts'
import { presentRecalculation } from '../../../shared/recalculation/rows.ts'
import * as replies from './replies.ts'

const at = defineRestPaths('/api/BudgetGroup', { entity: 'BudgetGroup' })
const reading = listViewPermissions('ConsoleBudgetGroup')
const writing = ['ConsoleBudgetGroupReadUpdate'] as const
const alsoReadBy = [
  ...listViewPermissions(
    'BudgetingNonStaffing',
    'BudgetingOverview',
    'BudgetingStaffing',
    'BudgetingPayrollReconciliation',
    'BudgetingMonitoringBudgetActuals',
    'BudgetingMonitoringBudgetForecast',
  ),
  'BudgetingReportsRead' as const,
  ...listViewPermissions('ConsoleBudgetManagement', 'ConsoleMonitoringBudgetActuals', 'ConsoleMonitoringBudgetForecast'),
]
const byId = z.object({ id: groupMongoId })
const items = z.array(z.object({ budgetId: budgetMongoId, order: z.int().nullish() })).max(2000)
const groupInput = z.object({
  id: groupMongoId.nullish(),
  version: z.int().nullish(),
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  description: z.string().max(200, 'Description can have at most 200 characters.').nullish(),
  items: items.default([]),
  claimsEmploymentAllowance: z.boolean().optional(),
  allowanceBudgetCodeId: z.int().nullish(),
  allowanceCostCentreId: z.int().nullish(),
})

/**
 * The Employment Allowance claim in a save; undefined if the save does not include one. It requires the permission for
 * the levy.
 * @param before the group's current claim, or that of a new group
 * @throws DomainError 403
 */
function parseClaim(input: z.infer<typeof groupInput>, before: AllowanceClaim, holder: PermissionHolder): AllowanceClaim | undefined {
  const now = <T>(value: T | undefined, current: T): T => (value === undefined ? current : value)
  const claim: AllowanceClaim = {
    claimsEmploymentAllowance: now(input.claimsEmploymentAllowance, before.claimsEmploymentAllowance),
    allowanceBudgetCodeId: now(input.allowanceBudgetCodeId, before.allowanceBudgetCodeId),
    allowanceCostCentreId: now(input.allowanceCostCentreId, before.allowanceCostCentreId),
  }
  if (isSameClaim(claim, before)) return undefined
  if (!hasAnyPermission(holder, ['ConsoleApprenticeshipLevyReadUpdate']))
    throw new DomainError(
      'forbidden',
      'beyond',
      'Only people with permission to change the apprenticeship levy can change the Employment Allowance.',
    )
  return claim
}

function toOrderedIds(list: z.infer<typeof items>): BudgetId[] {
  return [...list].sort((a, b) => (a.order ?? 0) - (b.order ?? 0)).map((item) => item.budgetId)
}

export const groupRouter = router({
  list: inOrganisation([...reading, ...alsoReadBy], 'short', at('GET', '/list', { summary: 'List budget groups' }))
    .output(replies.list)
    .query(({ ctx }) => ctx.inTransaction((tx) => listVisibleGroups({ ...ctx, tx }))),
  names: inOrganisation('signedIn', 'short', at('GET', '/names', { summary: 'List the names of budget groups' }))
    .output(replies.groupNames)
    .query(({ ctx }) => ctx.inTransaction(async (tx) => (await listVisibleGroups({ ...ctx, tx })).map(({ id, name }) => ({ id, name })))),
  get: inOrganisation(reading, 'short', at('GET', '/edit/id/{id:mongoId}', { summary: 'Read a budget group' }))
    .input(byId)
    .output(replies.group)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readVisibleGroup({ ...ctx, tx }, input.id))),
  byBudget: inOrganisation('signedIn', 'short', at('GET', '/budgetId/{id:mongoId}', { summary: 'Read the group that a budget belongs to' }))
    .input(z.object({ id: budgetMongoId.describe('Id of the budget.') }))
    .output(replies.groupOfBudget)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        return (await listVisibleGroups({ ...ctx, tx })).find((group) => group.items.some((item) => item.budgetId === input.id)) ?? null
      }),
    ),
  create: inOrganisation(writing, 'short', at('POST', '/create', { status: 201, summary: 'Add a budget group' }))
    .input(groupInput)
    .output(replies.group)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { name, description = null } = input
        const budgetIds = toOrderedIds(input.items)
        await refuseHiddenBudgets({ ...ctx, tx }, budgetIds)
        const wanted = { name, description, budgetIds, claim: parseClaim(input, noClaim, ctx.holder) }
        return saveGroup({ ...ctx, tx }, { id: toBudgetGroupId(mongoIdFromBytes(randomBytes(12))), version: null, isNew: true }, wanted)
      }),
    ),
  update: inOrganisation(writing, 'short', at('PUT', '/update', { summary: 'Change a budget group' }))
    .input(groupInput.extend({ id: groupMongoId }))
    .output(replies.group)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const before = await loadGroupToChange({ ...ctx, tx }, input.id)
        // Checked first: a form loaded from an earlier version must not change the claim or the budgets.
        refuseStaleGroup(before, input.version ?? null)
        const { name, description = null } = input
        const budgetIds = toOrderedIds(input.items)
        await refuseHiddenBudgets({ ...ctx, tx }, budgetIds)
        const wanted = { name, description, budgetIds, claim: parseClaim(input, before, ctx.holder) }
        await saveGroup({ ...ctx, tx }, { id: input.id, version: input.version ?? null, isNew: false }, wanted)
        return readVisibleGroup({ ...ctx, tx }, input.id)
      }),
    ),
  items: inOrganisation(writing, 'short', at('PATCH', '/items', { summary: 'Change the order and the budgets of a group' }))
    .input(z.object({ id: groupMongoId, items }))
    .output(replies.group)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { name, description } = await loadGroupToChange({ ...ctx, tx }, input.id)
        const budgetIds = toOrderedIds(input.items)
        await refuseHiddenBudgets({ ...ctx, tx }, budgetIds)
        const wanted = { name, description, budgetIds }
        await saveGroup({ ...ctx, tx }, { id: input.id, version: null, isNew: false }, wanted)
        return readVisibleGroup({ ...ctx, tx }, input.id)
      }),
    ),
  delete: inOrganisation(writing, 'short', at('DELETE', '/{id:mongoId}', { status: 204, summary: 'Delete a budget group' }))
    .input(byId)
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadGroupToChange({ ...ctx, tx }, input.id)
        await deleteGroup({ ...ctx, tx }, input.id)
      }),
    ),
  recalculate: inOrganisation(
    groupRecalculationPermissions,
    'short',
    at('POST', '/recalculate/staff-contracts/{id:mongoId}', { status: 202, summary: 'Recalculate the budgets of a group' }),
  )
    .input(byId)
    .output(recalculationEvent)
    .mutation(async ({ ctx, input }) => {
      const { run, budgetIds } = await ctx.inTransaction(async (tx) => {
        await loadGroupToChange({ ...ctx, tx }, input.id)
        return beginRecalculation({ ...ctx, tx }, { groupId: input.id })
      })
      // The rows are authoritative: if a job is lost, the workers' sweep finds the budgets by their rows.
      const left = budgetIds.map((budgetId) => ({ budgetId, attempts: 0 }))
      await ctx.services.queues.wake({ organisationId: ctx.organisationId, id: run.id, left }).catch(() => undefined)
      const argument = { budgetGroupId: input.id, budgetId: null, done: 0, of: budgetIds.length }
      await publishLiveMessage(ctx.services, { target: 'RecalculationProgress', argument }, { organisationId: ctx.organisationId })
      return presentRecalculation(run, ctx.principal.name)
    }),
  /** Cancels a running recalculation. Budgets that are finished have their new figures; all others keep their old figures. */
  cancel: inOrganisation(['BudgetingStaffingReadUpdate', 'ConsoleBudgetGroupReadUpdate'], 'short')
    .input(byId)
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      const ended = await ctx.inTransaction(async (tx) => {
        await loadGroupToChange({ ...ctx, tx }, input.id)
        const [run] = await selectRunningRecalculations(tx, ctx.organisationId, input.id)
        return run ? cancelRecalculation({ ...ctx, tx }, run.id) : null
      })
      if (!ended) throw conflict('notRunning', 'This budget group is not being recalculated.')
      ctx.afterwards((line) => announceRecalculationEnd(line, ctx.organisationId, ended.id))
    }),
  required: inOrganisation(
    'signedIn',
    'short',
    at('GET', '/recalculate/staff-contracts/required/{id:mongoId}', { summary: 'Read whether a group needs recalculating, and why' }),
  )
    .input(byId)
    .output(replies.recalculationRequired)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readRecalculationNeed({ ...ctx, tx }, input.id))),
  progress: inOrganisation('signedIn', 'short')
    .input(byId)
    .output(replies.progress)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readVisibleGroup({ ...ctx, tx }, input.id)
        const [run] = await selectRunningRecalculations(tx, ctx.organisationId, input.id)
        return run ? readRecalculationProgress(tx, ctx.organisationId, run.id) : null
      }),
    ),
})
