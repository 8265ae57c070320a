import { z } from 'zod'
import { groupMongoId } from '../../../domain/budget/budget.ts'
import { completionType } from '../../../domain/lookups/lookupIds.ts'
import { describeLookup } from '../../../domain/lookups/lookups.ts'
import { payrollFile } from '../../../domain/payroll/payrollFile.ts'
import { hasAnyPermission, listViewPermissions } from '../../../domain/people/permissions.ts'
import { listColumns } from '../../../domain/resources/columns.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPennies, toPounds } from '../../../domain/values/format.ts'
import { type BudgetGroupId, type BudgetId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import { forbidden } from '../../../domain/words/errors.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import { atLevels, defineRestPaths, defineRestPathsByLevel, inLocation, inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { openStoreWithin } from '../../core/database/database.ts'
import { logHistoryReply } from '../../core/stream/history.ts'
import { importInput } from '../../resources/procedures.ts'
import { bulkEditResult, deletedVersions, template } from '../../resources/replies.ts'
import { buildTemplate } from '../../resources/template.ts'
import * as commands from '../../shared/payroll/commands.ts'
import * as queries from '../../shared/payroll/queries.ts'
import { backPayRouter } from './backPay/router.ts'
import { payrollCausesRouter } from './causes/router.ts'
import { runPayrollChange, toPayrollEditor } from './changing.ts'
import { readMonthState, readPayrollHistory } from './history.ts'
import * as inputs from './inputs.ts'
import { readOverviewsByLocation } from './overviews.ts'
import { payrollProviderRouter } from './providers/router.ts'
import * as replies from './replies.ts'
import { payrollReportRouter } from './report/router.ts'
import * as rows from './rows.ts'

const console = listViewPermissions('ConsolePayrollReconciliation')
const seen = listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')
const { organisationChangePermissions, groupChangePermissions } = commands
/** Completing a group's month requires its reconciliation permission, not that for all payrolls. */
const ofGroup = ['BudgetingPayrollReconciliationReadUpdate'] as const
const completing = { field: 'group', whole: organisationChangePermissions, part: ofGroup }
const reconciling = { field: 'group', whole: organisationChangePermissions, part: groupChangePermissions }

const { anyLevel, calendarMonth, employeeNumber, payrollCode } = inputs
const pounds = inputs.pounds
const option = z
  .int()
  .min(1, 'Option must be 1 to 4.')
  .max(4, 'Option must be 1 to 4.')
  .describe(`What to clear: ${describeLookup('payrollReconciliationClearOptions')}.`)
const completion = z.union([z.literal(1), z.literal(2)], 'Type must be 1 or 2.').describe(`${describeLookup('completionTypes')}.`)
const reason = inputs.reason.nullish().describe('The reason for reopening. Screens require it; here it is optional.')
const fileRows = z.array(z.object(Object.fromEntries(listColumns(payrollFile).map(({ heading }) => [heading, z.string().optional()]))))
const cell = { employeeNumber, payrollCode, locationId: inputs.locationId }
const importing = importInput.pick({ rows: true }).extend({
  ...calendarMonth,
  again: z.boolean().nullish().describe('The same file was imported for another month, and this is intended.'),
})

const at = defineRestPaths('/api/monitoring/PayrollRec/', { term: { singular: 'Payroll', plural: 'Payrolls' } })
const both = defineRestPathsByLevel(at)
const gone = { status: 204 }
const month = '{year:integer}/{month:integer}'
const ofCell = `${month}/{employeeNumber}/{payrollCode}/{locationId:integer}`
const toGroup = '{group:mongoId}'
const inPennies = (value: z.infer<typeof pounds>): number => toPennies(value)

/** @throws DomainError 403 for a request for the whole organisation without the console's permission */
function checkMaySeeLevel(holder: CallerRights, request: { budgetId?: BudgetId | null; budgetGroupId?: BudgetGroupId | null }): void {
  if (!request.budgetId && !request.budgetGroupId && !hasAnyPermission(holder, console)) throw forbidden()
}

const level = ({ year, month: number, group: groupId = null }: { year: number; month: number; group?: BudgetGroupId | null }) => ({
  year,
  month: number,
  groupId,
})

const ofBudgetGroup = { ...calendarMonth, budgetGroup: anyLevel.group }

/** What payrolls paid, compared with what the budgets calculate (rules.md §18). */
export const payrollRouter = router({
  backPay: backPayRouter,
  causes: payrollCausesRouter,
  report: payrollReportRouter,
  providers: payrollProviderRouter,
  import: inLocation(
    ofGroup,
    'import',
    at('POST', `actuals/import/${month}`, { entity: 'PayrollActual', body: fileRows, summary: 'Import payroll actuals' }),
  )
    .input(importing)
    .output(replies.imported)
    .mutation(({ ctx, input }) =>
      runPayrollChange(ctx, async (tx) =>
        rows.presentImport(await commands.runImportPayroll({ ...toPayrollEditor(ctx), tx }, { ...input, locationId: ctx.locationId })),
      ),
    ),
  consoleImport: inOrganisation(
    organisationChangePermissions,
    'import',
    at('POST', `console/actuals/import/${month}`, {
      entity: 'PayrollActual',
      body: fileRows,
      summary: 'Import payroll actuals for the whole organisation',
    }),
  )
    .input(importing)
    .output(replies.imported)
    .mutation(({ ctx, input }) =>
      runPayrollChange(ctx, async (tx) =>
        rows.presentImport(await commands.runImportPayroll({ ...toPayrollEditor(ctx), tx }, { ...input, locationId: null })),
      ),
    ),
  /** The column headings of an import file, for one location or the whole organisation. */
  template: inOrganisation(seen, 'short')
    .input(z.object({ isConsole: z.boolean() }))
    .output(template)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { name, columns } = await buildTemplate(tx, payrollFile, ctx)
        return { name, columns: columns.filter(({ heading }) => heading !== 'Month' && (input.isConsole || heading !== 'PayrollRecId')) }
      }),
    ),
  overview: atLevels({ field: 'budgetGroup', whole: console, part: seen }, 'long', [
    at('GET', `actuals/overview/${month}`, {
      entity: 'PayrollActual',
      summary: 'Read the totals of a month of payroll, for the whole organisation',
    }),
    at('GET', `actuals/overview/${month}/{budgetGroup:mongoId}`, {
      entity: 'PayrollActual',
      summary: 'Read the totals of a month of payroll, for a budget group',
    }),
  ])
    .input(z.object(ofBudgetGroup))
    .output(replies.overview)
    .query(({ ctx, input: { budgetGroup, ...input } }) =>
      ctx.inTransaction(async (tx) =>
        rows.presentOverview(
          await queries.readReconciliation({ ...ctx, tx }, { ...level({ ...input, group: budgetGroup }), useInflation: true }),
        ),
      ),
    ),
  /** A month's totals at each school. */
  locations: inOrganisation(seen, 'long')
    .input(z.object(anyLevel))
    .output(replies.locations)
    .query(({ ctx, input }) => {
      checkMaySeeLevel(ctx.holder, { budgetGroupId: input.group })
      return ctx.inTransaction((tx) => readOverviewsByLocation({ ...ctx, tx }, { ...level(input), useInflation: true }))
    }),
  reconcile: inOrganisation(seen, 'long', {
    method: 'POST',
    path: '/api/monitoring/PayrollRec',
    also: ['/monitoring/PayrollRec'],
    entity: 'PayrollActual',
    body: inputs.reconciliationRequest,
    summary: 'Compare payroll with costed pay in a month, person by person',
  })
    .input(inputs.reconciliationRequest)
    .output(replies.reconciliation)
    .query(({ ctx, input: { budgetGroupId, useInflation, payScaleTableIds, ...input } }) => {
      checkMaySeeLevel(ctx.holder, { budgetId: input.budgetId, budgetGroupId })
      return ctx.inTransaction(async (tx) => {
        const request = { ...input, groupId: budgetGroupId, useInflation: useInflation ?? true, payScaleTableIds: payScaleTableIds ?? [] }
        return rows.presentReconciliation(await queries.readReconciliation({ ...ctx, tx }, request), ctx.holder.locationIds)
      })
    }),
  /** The state of a month, who completed it, and why it was reopened. */
  standing: inOrganisation(seen, 'short')
    .input(z.object(anyLevel))
    .output(replies.monthState)
    .query(({ ctx, input }) => {
      checkMaySeeLevel(ctx.holder, { budgetGroupId: input.group })
      return ctx.inTransaction((tx) =>
        readMonthState({ ...toPayrollEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) }, level(input)),
      )
    }),
  exists: inOrganisation(
    seen,
    'short',
    at('GET', 'actuals/exists/{id:mongoId}', { entity: 'PayrollActual', summary: 'List the months that have payroll actuals' }),
  )
    .input(z.object({ id: groupMongoId.describe('Id of the budget group.').nullish() }))
    .output(replies.actualsExist)
    .query(({ ctx, input }) => {
      checkMaySeeLevel(ctx.holder, { budgetGroupId: input.id })
      return ctx.inTransaction(async (tx) => {
        const months = await queries.listMonthsWithActuals({ ...ctx, tx }, input.id ?? null)
        return { exists: months.length > 0, months }
      })
    }),
  clear: atLevels({ ...completing, field: 'budgetGroup' }, 'short', [
    at('DELETE', `console/${month}/{option:integer}`, {
      entity: 'PayrollActual',
      ...gone,
      summary: 'Clear a month of payroll for the whole organisation: everything, or only entered pay, notes or amounts carried forward',
    }),
    at('DELETE', `${month}/{budgetGroup:mongoId}/{option:integer}`, {
      entity: 'PayrollActual',
      ...gone,
      summary: 'Clear a month of payroll for a budget group: everything, or only entered pay, notes or amounts carried forward',
    }),
  ])
    .input(z.object({ ...ofBudgetGroup, option }))
    .output(replies.changes)
    .mutation(({ ctx, input: { budgetGroup, option: what, ...input } }) =>
      runPayrollChange(ctx, (tx) => commands.runClearMonth({ ...toPayrollEditor(ctx), tx }, level({ ...input, group: budgetGroup }), what)),
    ),
  note: atLevels(
    reconciling,
    'short',
    both('POST', `note/${month}`, {
      entity: 'PayrollNote',
      body: inputs.note,
      summary: (of) => `Write a note about a person in a month of payroll, for ${of}`,
    }),
  )
    .input(inputs.note.extend(anyLevel))
    .output(replies.note)
    .mutation(({ ctx, input: { notes, employeeNumber: number, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        await commands.runSaveNotes({ ...toPayrollEditor(ctx), tx }, level(where), { employeeNumbers: [number], notes })
        return { employeeNumber: number, notes }
      }),
    ),
  notes: atLevels(
    reconciling,
    'short',
    both('POST', `note/bulk/${month}`, {
      entity: 'PayrollNote',
      body: inputs.bulkNote,
      summary: (of) => `Write the same note about several people in a month of payroll, for ${of}`,
    }),
  )
    .input(inputs.bulkNote.extend(anyLevel))
    .output(bulkEditResult)
    .mutation(({ ctx, input: { notes, employeeNumbers, seen: before, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        const { updated: count } = await commands.runSaveNotes({ ...toPayrollEditor(ctx), tx }, level(where), {
          employeeNumbers,
          notes,
          seen: before,
        })
        return { updated: count }
      }),
    ),
  notesDelete: atLevels(
    reconciling,
    'short',
    both('POST', `note/bulk/delete/${month}`, {
      entity: 'PayrollNote',
      body: inputs.bulkRemoval,
      summary: (of) => `Delete the notes about several people, for ${of}`,
    }),
  )
    .input(inputs.bulkRemoval.extend(anyLevel))
    .output(bulkEditResult)
    .mutation(({ ctx, input: { employeeNumbers, notes: _empty, seen: before, ...where } }) =>
      runPayrollChange(ctx, (tx) =>
        commands.runSaveNotes({ ...toPayrollEditor(ctx), tx }, level(where), { employeeNumbers, notes: null, seen: before }),
      ),
    ),
  notesClear: atLevels(
    reconciling,
    'short',
    both('DELETE', `note/meta/${month}`, {
      entity: 'PayrollNote',
      ...gone,
      summary: (of) => `Delete all notes of a month of payroll, for ${of}`,
    }),
  )
    .input(z.object(anyLevel))
    .output(emptyReply)
    .mutation(({ ctx, input }) => runPayrollChange(ctx, (tx) => commands.runRemoveAllNotes({ ...toPayrollEditor(ctx), tx }, level(input)))),
  noteDelete: atLevels(
    reconciling,
    'short',
    both('DELETE', `note/${month}/{employee}`, {
      entity: 'PayrollNote',
      ...gone,
      summary: (of) => `Delete a note about a person, for ${of}`,
    }),
  )
    .input(z.object({ ...anyLevel, employee: employeeNumber }))
    .output(emptyReply)
    .mutation(({ ctx, input: { employee, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        await commands.runSaveNotes({ ...toPayrollEditor(ctx), tx }, level(where), { employeeNumbers: [employee], notes: null })
      }),
    ),
  complete: atLevels(completing, 'long', [
    at('POST', `console/complete/${month}`, { entity: 'PayrollMonth', summary: 'Complete a month of payroll for the whole organisation' }),
    at('POST', `complete/${month}/{type:integer}/${toGroup}`, {
      entity: 'PayrollMonth',
      summary: 'Complete a month of payroll for a budget group',
    }),
  ])
    .input(z.object({ ...anyLevel, type: completion.nullish() }))
    .output(replies.month)
    .mutation(({ ctx, input: { type, ...input } }) =>
      runPayrollChange(ctx, async (tx) =>
        rows.presentMonth(
          await commands.runCompletePayrollMonth({ ...toPayrollEditor(ctx), tx }, level(input), type ?? completionType.complete),
        ),
      ),
    ),
  reopen: atLevels(completing, 'short', [
    at('POST', `console/reopen/${month}`, {
      entity: 'PayrollMonth',
      also: [`/api/monitoring/PayrollRec/reopen/${month}`],
      summary: 'Reopen a completed month of payroll for the whole organisation',
    }),
    at('POST', `reopen/${month}/${toGroup}`, { entity: 'PayrollMonth', summary: 'Reopen a completed month of payroll for a budget group' }),
  ])
    .input(z.object({ ...anyLevel, reason }))
    .output(replies.month)
    .mutation(({ ctx, input: { reason: why, ...where } }) =>
      runPayrollChange(ctx, async (tx) =>
        rows.presentMonth(await commands.runReopenPayrollMonth({ ...toPayrollEditor(ctx), tx }, level(where), why ?? null)),
      ),
    ),
  actual: atLevels(
    reconciling,
    'short',
    both('POST', `actuals/${ofCell}/{value}`, {
      entity: 'PayrollActual',
      summary: (of) => `Enter what a person was paid under a payroll code in a month, for ${of}`,
    }),
  )
    .input(z.object({ ...anyLevel, ...cell, value: pounds }))
    .output(replies.actual)
    .mutation(({ ctx, input: { value, group, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        await commands.runEnterActual({ ...toPayrollEditor(ctx), tx }, level({ ...where, group }), { ...where, value: inPennies(value) })
        return { ...where, actual: toPounds(inPennies(value)) }
      }),
    ),
  /**
   * The path names no group. Without `group` in the query, the typed amount is cleared for the organisation and in every group that the
   * caller may change. Screens always name a group.
   */
  actualDelete: inOrganisation(
    groupChangePermissions,
    'short',
    at('DELETE', `actuals/${ofCell}`, {
      entity: 'PayrollActual',
      ...gone,
      summary: 'Delete the pay entered for a person under a payroll code in a month',
    }),
  )
    .input(
      z.object({
        ...calendarMonth,
        ...cell,
        group: groupMongoId.nullish().describe('Id of a budget group; without it, every level that the caller can change is cleared.'),
        isConsole: z.boolean().nullish().describe('Only amounts entered for the whole organisation.'),
      }),
    )
    .output(deletedVersions)
    .mutation(({ ctx, input: { year, month: number, group: groupId, isConsole, ...written } }) =>
      runPayrollChange(ctx, (tx) =>
        commands.runClearEnteredAmount(
          { ...toPayrollEditor(ctx), tx },
          { year, month: number, groupId: groupId ?? (isConsole ? null : undefined) },
          written,
        ),
      ),
    ),
  carryForward: atLevels(
    reconciling,
    'short',
    both('POST', `carryforward/${month}/{employeeNumber}/{value}`, {
      entity: 'PayrollCarryForward',
      summary: (of) => `Enter an amount to carry forward for a person from a month, for ${of}`,
    }),
  )
    .input(z.object({ ...anyLevel, employeeNumber, value: pounds }))
    .output(replies.carryForward)
    .mutation(({ ctx, input: { value, group, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        const amount = inPennies(value)
        await commands.runCarryForward({ ...toPayrollEditor(ctx), tx }, level({ ...where, group }), [{ ...where, amount }])
        return { ...where, amount: toPounds(amount), budgetGroupId: group ?? null }
      }),
    ),
  carryForwardDelete: atLevels(
    reconciling,
    'short',
    both('DELETE', `carryforward/${month}/{employeeNumber}`, {
      entity: 'PayrollCarryForward',
      ...gone,
      summary: (of) => `Delete the amount carried forward for a person, for ${of}`,
    }),
  )
    .input(z.object({ ...anyLevel, employeeNumber }))
    .output(emptyReply)
    .mutation(({ ctx, input: { employeeNumber: number, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        await commands.runClearCarriedAmounts({ ...toPayrollEditor(ctx), tx }, level(where), [number])
      }),
    ),
  /** Carries forward the whole difference of each selected employee. */
  carryMany: inOrganisation(groupChangePermissions, 'long')
    .input(z.object({ ...anyLevel, ...inputs.employees }))
    .output(replies.carryForwards)
    .mutation(({ ctx, input: { employeeNumbers, ...where } }) =>
      runPayrollChange(ctx, async (tx) => {
        const wanted = employeeNumbers.map((number) => ({ employeeNumber: number, amount: null }))
        const carried = await commands.runCarryForward({ ...toPayrollEditor(ctx), tx }, level(where), wanted)
        return carried.map(({ amount }, index) => ({
          year: where.year,
          month: where.month,
          employeeNumber: assertDefined([...new Set(employeeNumbers)][index]),
          amount: toPounds(amount),
          budgetGroupId: where.group ?? null,
        }))
      }),
    ),
  clearCarries: inOrganisation(groupChangePermissions, 'short')
    .input(z.object({ ...anyLevel, ...inputs.employees }))
    .output(bulkEditResult)
    .mutation(({ ctx, input: { employeeNumbers, ...where } }) =>
      runPayrollChange(ctx, (tx) => commands.runClearCarriedAmounts({ ...toPayrollEditor(ctx), tx }, level(where), employeeNumbers)),
    ),
  tolerance: inOrganisation(seen, 'short')
    .output(replies.tolerance)
    .query(({ ctx }) => ctx.inTransaction(async (tx) => ({ tolerance: toPounds(await queries.readTolerance(tx, ctx.organisationId)) }))),
  saveTolerance: inOrganisation(organisationChangePermissions, 'short')
    .input(
      z.object({
        tolerance: z
          .number('Tolerance must be a number.')
          .min(0, 'Tolerance cannot be negative.')
          .max(1000, 'Tolerance can be at most £1,000.')
          .multipleOf(0.01, 'Tolerance can have at most two decimals.'),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      runPayrollChange(ctx, (tx) => commands.runSaveTolerance({ ...toPayrollEditor(ctx), tx }, toPennies(input.tolerance))),
    ),
  /** The changes at a location or, without one, of the organisation and its groups: newest first, a hundred at a time. */
  history: inOrganisation(seen, 'short')
    .input(z.object({ locationId: inputs.locationId.nullish(), before: inputs.id.nullish() }))
    .output(logHistoryReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        readPayrollHistory(
          { ...toPayrollEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) },
          {
            locationId: input.locationId ?? organisationWideLocationId,
            before: input.before ?? null,
          },
        ),
      ),
    ),
  undo: inOrganisation(groupChangePermissions, 'short')
    .input(z.object({ locationId: inputs.locationId.nullish(), version: inputs.id }))
    .output(emptyReply)
    .mutation(({ ctx, input: { locationId, version } }) =>
      runPayrollChange(ctx, (tx) =>
        commands.runUndoPayroll({ ...toPayrollEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) }, [
          { locationId: locationId ?? organisationWideLocationId, version },
        ]),
      ),
    ),
  /** Undoes a change that affected several locations at once, all or nothing. */
  undoAll: inOrganisation(groupChangePermissions, 'short')
    .input(
      z.object({
        changes: z
          .array(z.object({ locationId: z.int().min(0).brand<'LocationId'>(), version: inputs.id }))
          .min(1)
          .max(5000),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      runPayrollChange(ctx, (tx) =>
        commands.runUndoPayroll(
          { ...toPayrollEditor(ctx), tx, store: openStoreWithin(tx, ctx.services.store, ctx.organisationId) },
          input.changes,
        ),
      ),
    ),
})
