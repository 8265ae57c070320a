import { z } from 'zod'
import { groupMongoId } from '../../../domain/budget/budget.ts'
import { completionType } from '../../../domain/lookups/lookupIds.ts'
import { payrollFile } from '../../../domain/payroll/payrollFile.ts'
import { hasAnyPermission, viewPermissions } from '../../../domain/people/permissions.ts'
import { columnsOf } from '../../../domain/resources/columns.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPennies, toPounds } from '../../../domain/values/format.ts'
import { type BudgetGroupId, type BudgetId, organisationWideLocationId } from '../../../domain/values/ids.ts'
import { forbidden } from '../../../domain/words/errors.ts'
import type { Holder } from '../../core/calls/context.ts'
import { inLocation, inOrganisation, type RestMeta, restUnder, router } from '../../core/calls/procedures.ts'
import { nothing } from '../../core/calls/reply.ts'
import { storeWithin } from '../../core/database/database.ts'
import { logHistory } from '../../core/stream/history.ts'
import { importInput } from '../../resources/procedures.ts'
import { deletedVersions, template, updated } from '../../resources/replies.ts'
import { templateOf } from '../../resources/template.ts'
import * as commands from '../../shared/payroll/commands.ts'
import * as queries from '../../shared/payroll/queries.ts'
import { backPayRouter } from './backPay/router.ts'
import { payrollCausesRouter } from './causes/router.ts'
import { changing, whoOf } from './changing.ts'
import { historyOf, standingOf } from './history.ts'
import * as inputs from './inputs.ts'
import { overviewsByLocation } from './overviews.ts'
import { payrollProviderRouter } from './providers/router.ts'
import * as replies from './replies.ts'
import { payrollReportRouter } from './report/router.ts'
import * as rows from './rows.ts'

const console = viewPermissions('ConsolePayrollReconciliation')
const seen = viewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')
const { changingConsole, changingGroup } = commands
/** Completing a group's month requires its reconciliation permission, not that for all payrolls. */
const ofGroup = ['BudgetingPayrollReconciliationReadUpdate'] as const

const { calendarMonth, employeeNumber, group, payrollCode } = inputs
const pounds = inputs.pounds
const option = z
  .int()
  .min(1, 'Option must be 1 to 4.')
  .max(4, 'Option must be 1 to 4.')
  .describe('lookups payrollReconciliationClearOptions.')
const completion = z.union([z.literal(1), z.literal(2)], 'Type must be 1 or 2.').describe('lookups completionTypes.')
const reason = inputs.reason.nullish().describe('Why it is reopened; screens ask for it, but the path has no place for it.')
const fileRows = z.array(z.object(Object.fromEntries(columnsOf(payrollFile).map(({ heading }) => [heading, z.string().optional()]))))
const cell = { employeeNumber, payrollCode, locationId: inputs.locationId }
const importing = importInput.pick({ rows: true }).extend({
  ...calendarMonth,
  again: z.boolean().nullish().describe('The same file was imported for another month, and this is intended.'),
})

const at = restUnder('/api/monitoring/PayrollRec/', { term: { singular: 'Payroll', plural: 'Payrolls' } })
const gone = { status: 204 }
const month = '{year:integer}/{month:integer}'
const ofCell = `${month}/{employeeNumber}/{payrollCode}/{locationId:integer}`
const toGroup = '{group:mongoId}'
const inPennies = (value: z.infer<typeof pounds>): number => toPennies(value)

/** Requests for the whole organisation require the console's permission. */
function checkSeen(holder: Holder, asked: { budgetId?: BudgetId | null; budgetGroupId?: BudgetGroupId | null }): void {
  if (!asked.budgetId && !asked.budgetGroupId && !hasAnyPermission(holder, console)) throw forbidden()
}

const level = ({ year, month: number, group: groupId = null }: { year: number; month: number; group?: BudgetGroupId | null }) => ({
  year,
  month: number,
  groupId,
})

/**
 * Without a group a note applies to the whole organisation, otherwise only to that group. There are two addresses and
 * two gates for the one change.
 */
function saveNote<In extends z.ZodType<z.output<typeof inputs.note> & { year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollNote', body: inputs.note })
    .input(input)
    .output(replies.note)
    .mutation(({ ctx, input: { notes, employeeNumber: number, ...where } }) =>
      changing(ctx, async (tx) => {
        await commands.runNotes({ ...whoOf(ctx), tx }, level(where), { employeeNumbers: [number], notes })
        return { employeeNumber: number, notes }
      }),
    )
}

function saveNotes<In extends z.ZodType<z.output<typeof inputs.bulkNote> & { year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollNote', body: inputs.bulkNote })
    .input(input)
    .output(updated)
    .mutation(({ ctx, input: { notes, employeeNumbers, seen: before, ...where } }) =>
      changing(ctx, async (tx) => {
        const { updated: count } = await commands.runNotes({ ...whoOf(ctx), tx }, level(where), { employeeNumbers, notes, seen: before })
        return { updated: count }
      }),
    )
}

function removeNotes<In extends z.ZodType<z.output<typeof inputs.bulkRemoval> & { year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollNote', body: inputs.bulkRemoval })
    .input(input)
    .output(updated)
    .mutation(({ ctx, input: { employeeNumbers, notes: _empty, seen: before, ...where } }) =>
      changing(ctx, (tx) => commands.runNotes({ ...whoOf(ctx), tx }, level(where), { employeeNumbers, notes: null, seen: before })),
    )
}

function removeAllNotes<In extends z.ZodType<{ year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollNote', ...gone })
    .input(input)
    .output(nothing)
    .mutation(({ ctx, input: where }) => changing(ctx, (tx) => commands.runRemoveAllNotes({ ...whoOf(ctx), tx }, level(where))))
}

function removeNote<In extends z.ZodType<{ employee: string; year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollNote', ...gone })
    .input(input)
    .output(nothing)
    .mutation(({ ctx, input: { employee, ...where } }) =>
      changing(ctx, async (tx) => {
        await commands.runNotes({ ...whoOf(ctx), tx }, level(where), { employeeNumbers: [employee], notes: null })
      }),
    )
}

function typeActual<
  In extends z.ZodType<commands.WrittenCell & { value: z.infer<typeof pounds>; year: number; month: number; group?: BudgetGroupId }>,
>(access: readonly (typeof changingGroup)[number][], rest: RestMeta, input: In) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollActual' })
    .input(input)
    .output(replies.actual)
    .mutation(({ ctx, input: { employeeNumber: number, payrollCode: code, locationId, value, ...where } }) =>
      changing(ctx, async (tx) => {
        const written = { employeeNumber: number, payrollCode: code, locationId }
        await commands.runTypeActual({ ...whoOf(ctx), tx }, level(where), { ...written, value: inPennies(value) })
        return { year: where.year, month: where.month, ...written, actual: toPounds(inPennies(value)) }
      }),
    )
}

function carry<
  In extends z.ZodType<{ employeeNumber: string; value: z.infer<typeof pounds>; year: number; month: number; group?: BudgetGroupId }>,
>(access: readonly (typeof changingGroup)[number][], rest: RestMeta, input: In) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollCarryForward' })
    .input(input)
    .output(replies.carryForward)
    .mutation(({ ctx, input: { employeeNumber: number, value, ...where } }) =>
      changing(ctx, async (tx) => {
        await commands.runCarryForward({ ...whoOf(ctx), tx }, level(where), [{ employeeNumber: number, amount: inPennies(value) }])
        const amount = toPounds(inPennies(value))
        return { year: where.year, month: where.month, employeeNumber: number, amount, budgetGroupId: where.group ?? null }
      }),
    )
}

function clearCarry<In extends z.ZodType<{ employeeNumber: string; year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', { ...rest, entity: 'PayrollCarryForward', ...gone })
    .input(input)
    .output(nothing)
    .mutation(({ ctx, input: { employeeNumber: number, ...where } }) =>
      changing(ctx, async (tx) => {
        await commands.runClearCarries({ ...whoOf(ctx), tx }, level(where), [number])
      }),
    )
}

function reopen<In extends z.ZodType<{ reason?: string | null; year: number; month: number; group?: BudgetGroupId }>>(
  access: readonly (typeof changingGroup)[number][],
  rest: RestMeta,
  input: In,
) {
  return inOrganisation(access, 'short', rest)
    .input(input)
    .output(replies.month)
    .mutation(({ ctx, input: { reason: why, ...where } }) =>
      changing(ctx, async (tx) => rows.shownMonth(await commands.runReopen({ ...whoOf(ctx), tx }, level(where), why ?? null))),
    )
}

const inMonth = z.object(calendarMonth)
const inGroup = z.object({ ...calendarMonth, group })
const anyLevel = { ...calendarMonth, group: groupMongoId.nullish().describe('Empty for the whole organisation.') }

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
      changing(ctx, async (tx) =>
        rows.shownImport(await commands.runImport({ ...whoOf(ctx), tx }, { ...input, locationId: ctx.locationId })),
      ),
    ),
  consoleImport: inOrganisation(
    changingConsole,
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
      changing(ctx, async (tx) => rows.shownImport(await commands.runImport({ ...whoOf(ctx), tx }, { ...input, locationId: null }))),
    ),
  /** The columns of an import file, for one location or the whole organisation. */
  template: inOrganisation(seen, 'short')
    .input(z.object({ isConsole: z.boolean() }))
    .output(template)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { name, columns } = await templateOf(tx, payrollFile, ctx)
        return { name, columns: columns.filter(({ heading }) => heading !== 'Month' && (input.isConsole || heading !== 'PayrollRecId')) }
      }),
    ),
  overviewConsole: inOrganisation(
    console,
    'long',
    at('GET', `actuals/overview/${month}`, {
      entity: 'PayrollActual',
      summary: 'Read the totals of a month of payroll, for the whole organisation',
    }),
  )
    .input(inMonth)
    .output(replies.overview)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) =>
        rows.shownOverview(await queries.readReconciliation({ ...ctx, tx }, { ...level(input), useInflation: true })),
      ),
    ),
  overview: inOrganisation(
    seen,
    'long',
    at('GET', `actuals/overview/${month}/{budgetGroup:mongoId}`, {
      entity: 'PayrollActual',
      summary: 'Read the totals of a month of payroll, for a budget group',
    }),
  )
    .input(z.object({ ...calendarMonth, budgetGroup: group }))
    .output(replies.overview)
    .query(({ ctx, input: { budgetGroup, ...input } }) =>
      ctx.inTransaction(async (tx) =>
        rows.shownOverview(
          await queries.readReconciliation({ ...ctx, tx }, { ...level({ ...input, group: budgetGroup }), useInflation: true }),
        ),
      ),
    ),
  /** A month at each school of a level. */
  locations: inOrganisation(seen, 'long')
    .input(z.object(anyLevel))
    .output(replies.locations)
    .query(({ ctx, input }) => {
      checkSeen(ctx.holder, { budgetGroupId: input.group })
      return ctx.inTransaction((tx) => overviewsByLocation({ ...ctx, tx }, { ...level(input), useInflation: true }))
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
      checkSeen(ctx.holder, { budgetId: input.budgetId, budgetGroupId })
      return ctx.inTransaction(async (tx) => {
        const asked = { ...input, groupId: budgetGroupId, useInflation: useInflation ?? true, payScaleTableIds: payScaleTableIds ?? [] }
        return rows.shownReconciliation(await queries.readReconciliation({ ...ctx, tx }, asked), ctx.holder.locationIds)
      })
    }),
  /** The state of a month, who completed it, and why it was reopened. */
  standing: inOrganisation(seen, 'short')
    .input(z.object(anyLevel))
    .output(replies.standing)
    .query(({ ctx, input }) => {
      checkSeen(ctx.holder, { budgetGroupId: input.group })
      return ctx.inTransaction((tx) =>
        standingOf({ ...whoOf(ctx), tx, store: storeWithin(tx, ctx.services.store, ctx.organisationId) }, level(input)),
      )
    }),
  exists: inOrganisation(
    seen,
    'short',
    at('GET', 'actuals/exists/{id:mongoId}', { entity: 'PayrollActual', summary: 'List the months that have payroll actuals' }),
  )
    .input(z.object({ id: groupMongoId }))
    .output(replies.exist)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const months = await queries.listMonthsWithActuals({ ...ctx, tx }, input.id)
        return { exists: months.length > 0, months }
      }),
    ),
  existsConsole: inOrganisation(console, 'short')
    .output(replies.exist)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const months = await queries.listMonthsWithActuals({ ...ctx, tx }, null)
        return { exists: months.length > 0, months }
      }),
    ),
  clear: inOrganisation(
    ofGroup,
    'short',
    at('DELETE', `${month}/{budgetGroup:mongoId}/{option:integer}`, {
      entity: 'PayrollActual',
      ...gone,
      summary: 'Clear a month of payroll for a budget group: everything, or only entered pay, notes or amounts carried forward',
    }),
  )
    .input(z.object({ ...calendarMonth, budgetGroup: group, option }))
    .output(replies.changes)
    .mutation(({ ctx, input: { budgetGroup, option: what, ...input } }) =>
      changing(ctx, (tx) => commands.runClear({ ...whoOf(ctx), tx }, level({ ...input, group: budgetGroup }), what)),
    ),
  clearConsole: inOrganisation(
    changingConsole,
    'short',
    at('DELETE', `console/${month}/{option:integer}`, {
      entity: 'PayrollActual',
      ...gone,
      summary: 'Clear a month of payroll for the whole organisation: everything, or only entered pay, notes or amounts carried forward',
    }),
  )
    .input(z.object({ ...calendarMonth, option }))
    .output(replies.changes)
    .mutation(({ ctx, input: { option: what, ...input } }) =>
      changing(ctx, (tx) => commands.runClear({ ...whoOf(ctx), tx }, level(input), what)),
    ),
  noteConsole: saveNote(
    changingConsole,
    at('POST', `note/${month}`, { summary: 'Write a note about a person in a month of payroll, for the whole organisation' }),
    inputs.note.extend(calendarMonth),
  ),
  note: saveNote(
    changingGroup,
    at('POST', `note/${month}/${toGroup}`, { summary: 'Write a note about a person in a month of payroll, for a budget group' }),
    inputs.note.extend({ ...calendarMonth, group }),
  ),
  notesConsole: saveNotes(
    changingConsole,
    at('POST', `note/bulk/${month}`, {
      summary: 'Write the same note about several people in a month of payroll, for the whole organisation',
    }),
    inputs.bulkNote.extend(calendarMonth),
  ),
  notes: saveNotes(
    changingGroup,
    at('POST', `note/bulk/${month}/${toGroup}`, {
      summary: 'Write the same note about several people in a month of payroll, for a budget group',
    }),
    inputs.bulkNote.extend({ ...calendarMonth, group }),
  ),
  notesDeleteConsole: removeNotes(
    changingConsole,
    at('POST', `note/bulk/delete/${month}`, { summary: 'Delete the notes about several people, for the whole organisation' }),
    inputs.bulkRemoval.extend(calendarMonth),
  ),
  notesDelete: removeNotes(
    changingGroup,
    at('POST', `note/bulk/delete/${month}/${toGroup}`, { summary: 'Delete the notes about several people, for a budget group' }),
    inputs.bulkRemoval.extend({ ...calendarMonth, group }),
  ),
  notesClearConsole: removeAllNotes(
    changingConsole,
    at('DELETE', `note/meta/${month}`, { summary: 'Delete all notes of a month of payroll, for the whole organisation' }),
    inMonth,
  ),
  notesClear: removeAllNotes(
    changingGroup,
    at('DELETE', `note/meta/${month}/${toGroup}`, { summary: 'Delete all notes of a month of payroll, for a budget group' }),
    inGroup,
  ),
  noteDeleteConsole: removeNote(
    changingConsole,
    at('DELETE', `note/${month}/{employee}`, { summary: 'Delete a note about a person, for the whole organisation' }),
    z.object({ ...calendarMonth, employee: employeeNumber }),
  ),
  noteDelete: removeNote(
    changingGroup,
    at('DELETE', `note/${month}/{employee}/${toGroup}`, { summary: 'Delete a note about a person, for a budget group' }),
    z.object({ ...calendarMonth, employee: employeeNumber, group }),
  ),
  complete: inOrganisation(
    ofGroup,
    'long',
    at('POST', `complete/${month}/{type:integer}/${toGroup}`, {
      entity: 'PayrollMonth',
      summary: 'Complete a month of payroll for a budget group',
    }),
  )
    .input(z.object({ ...calendarMonth, type: completion, group }))
    .output(replies.month)
    .mutation(({ ctx, input: { type, ...input } }) =>
      changing(ctx, async (tx) => rows.shownMonth(await commands.runComplete({ ...whoOf(ctx), tx }, level(input), type))),
    ),
  completeConsole: inOrganisation(
    changingConsole,
    'long',
    at('POST', `console/complete/${month}`, { entity: 'PayrollMonth', summary: 'Complete a month of payroll for the whole organisation' }),
  )
    .input(z.object({ ...calendarMonth, type: completion.nullish() }))
    .output(replies.month)
    .mutation(({ ctx, input: { type, ...input } }) =>
      changing(ctx, async (tx) =>
        rows.shownMonth(await commands.runComplete({ ...whoOf(ctx), tx }, level(input), type ?? completionType.complete)),
      ),
    ),
  reopenConsole: reopen(
    changingConsole,
    at('POST', `console/reopen/${month}`, {
      entity: 'PayrollMonth',
      also: [`/api/monitoring/PayrollRec/reopen/${month}`],
      summary: 'Reopen a completed month of payroll for the whole organisation',
    }),
    z.object({ ...calendarMonth, reason }),
  ),
  reopen: reopen(
    ofGroup,
    at('POST', `reopen/${month}/${toGroup}`, { entity: 'PayrollMonth', summary: 'Reopen a completed month of payroll for a budget group' }),
    z.object({ ...calendarMonth, reason, group }),
  ),
  actualConsole: typeActual(
    changingConsole,
    at('POST', `actuals/${ofCell}/{value}`, {
      summary: 'Enter what a person was paid under a payroll code in a month, for the whole organisation',
    }),
    z.object({ ...calendarMonth, ...cell, value: pounds }),
  ),
  actual: typeActual(
    changingGroup,
    at('POST', `actuals/${ofCell}/{value}/${toGroup}`, {
      summary: 'Enter what a person was paid under a payroll code in a month, for a budget group',
    }),
    z.object({ ...calendarMonth, ...cell, value: pounds, group }),
  ),
  /**
   * The address names no group, so the typed amount is cleared at every level that the caller may change. A screen
   * names the level.
   */
  actualDelete: inOrganisation(
    changingGroup,
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
      changing(ctx, (tx) =>
        commands.runClearTyped({ ...whoOf(ctx), tx }, { year, month: number, groupId: groupId ?? (isConsole ? null : undefined) }, written),
      ),
    ),
  carryForwardConsole: carry(
    changingConsole,
    at('POST', `carryforward/${month}/{employeeNumber}/{value}`, {
      summary: 'Enter an amount to carry forward for a person from a month, for the whole organisation',
    }),
    z.object({ ...calendarMonth, employeeNumber, value: pounds }),
  ),
  carryForward: carry(
    changingGroup,
    at('POST', `carryforward/${month}/{employeeNumber}/{value}/${toGroup}`, {
      summary: 'Enter an amount to carry forward for a person from a month, for a budget group',
    }),
    z.object({ ...calendarMonth, employeeNumber, value: pounds, group }),
  ),
  carryForwardDeleteConsole: clearCarry(
    changingConsole,
    at('DELETE', `carryforward/${month}/{employeeNumber}`, {
      summary: 'Delete the amount carried forward for a person, for the whole organisation',
    }),
    z.object({ ...calendarMonth, employeeNumber }),
  ),
  carryForwardDelete: clearCarry(
    changingGroup,
    at('DELETE', `carryforward/${month}/{employeeNumber}/${toGroup}`, {
      summary: 'Delete the amount carried forward for a person, for a budget group',
    }),
    z.object({ ...calendarMonth, employeeNumber, group }),
  ),
  /** Carries forward the whole difference of each selected employee. */
  carryMany: inOrganisation(changingGroup, 'long')
    .input(z.object({ ...anyLevel, ...inputs.employees }))
    .output(replies.carryForwards)
    .mutation(({ ctx, input: { employeeNumbers, ...where } }) =>
      changing(ctx, async (tx) => {
        const wanted = employeeNumbers.map((number) => ({ employeeNumber: number, amount: null }))
        const carried = await commands.runCarryForward({ ...whoOf(ctx), tx }, level(where), wanted)
        return carried.map(({ amount }, index) => ({
          year: where.year,
          month: where.month,
          employeeNumber: assertDefined([...new Set(employeeNumbers)][index]),
          amount: toPounds(amount),
          budgetGroupId: where.group ?? null,
        }))
      }),
    ),
  clearCarries: inOrganisation(changingGroup, 'short')
    .input(z.object({ ...anyLevel, ...inputs.employees }))
    .output(updated)
    .mutation(({ ctx, input: { employeeNumbers, ...where } }) =>
      changing(ctx, (tx) => commands.runClearCarries({ ...whoOf(ctx), tx }, level(where), employeeNumbers)),
    ),
  tolerance: inOrganisation(seen, 'short')
    .output(replies.tolerance)
    .query(({ ctx }) => ctx.inTransaction(async (tx) => ({ tolerance: toPounds(await queries.toleranceOf(tx, ctx.organisationId)) }))),
  saveTolerance: inOrganisation(changingConsole, 'short')
    .input(
      z.object({
        tolerance: z
          .number('Tolerance must be a number.')
          .min(0, 'Tolerance cannot be negative.')
          .max(1000, 'Tolerance can be £1,000 at most.')
          .multipleOf(0.01, 'Tolerance can have at most two decimals.'),
      }),
    )
    .output(nothing)
    .mutation(({ ctx, input }) => changing(ctx, (tx) => commands.runTolerance({ ...whoOf(ctx), tx }, toPennies(input.tolerance)))),
  /**
   * The changes at a location or, without one, at the levels of the organisation: newest first, a hundred at a time.
   */
  history: inOrganisation(seen, 'short')
    .input(z.object({ locationId: inputs.locationId.nullish(), before: inputs.id.nullish() }))
    .output(logHistory)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) =>
        historyOf(
          { ...whoOf(ctx), tx, store: storeWithin(tx, ctx.services.store, ctx.organisationId) },
          {
            locationId: input.locationId ?? organisationWideLocationId,
            before: input.before ?? null,
          },
        ),
      ),
    ),
  undo: inOrganisation(changingGroup, 'short')
    .input(z.object({ locationId: inputs.locationId.nullish(), version: inputs.id }))
    .output(nothing)
    .mutation(({ ctx, input: { locationId, version } }) =>
      changing(ctx, (tx) =>
        commands.runUndo(
          { ...whoOf(ctx), tx, store: storeWithin(tx, ctx.services.store, ctx.organisationId) },
          { locationId: locationId ?? organisationWideLocationId, version },
        ),
      ),
    ),
  /** Undoes a change that affected several locations at once, all or nothing. */
  undoAll: inOrganisation(changingGroup, 'short')
    .input(
      z.object({
        changes: z
          .array(z.object({ locationId: z.int().min(0).brand<'LocationId'>(), version: inputs.id }))
          .min(1)
          .max(5000),
      }),
    )
    .output(nothing)
    .mutation(({ ctx, input }) =>
      changing(ctx, (tx) =>
        commands.runUndoAll({ ...whoOf(ctx), tx, store: storeWithin(tx, ctx.services.store, ctx.organisationId) }, input.changes),
      ),
    ),
})
