import { z } from 'zod'
import { budgetMongoId } from '../../../domain/budget/budget.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { isStaffSource } from '../../../domain/budget/sharedSources.ts'
import { calculateOverviewYears } from '../../../domain/calculation/nonStaffing/balances.ts'
import { canSeeStaff, listViewPermissions } from '../../../domain/people/permissions.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { toPounds } from '../../../domain/values/format.ts'
import { inBudget, inOrganisation, router } from '../../core/calls/procedures.ts'
import { csvReply, emptyReply } from '../../core/calls/reply.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { runNameVersion } from '../../shared/approval/commands.ts'
import { readChangedDays } from '../../shared/budgetHistory/queries.ts'
import { presentOverviewYear, readCodesForTotals } from '../../shared/overview/queries.ts'
import {
  calculateBridge,
  combinedStaffCode,
  combineStaffCodes,
  compareSides,
  findStaffCodes,
  loadVisibleSnapshot,
  toComparisonFile,
} from '../../shared/versions/queries.ts'
import { loadStaffByIds } from '../../streams/budget/people.ts'
import * as replies from './replies.ts'

const reading = [...listViewPermissions('BudgetingOverview'), ...listViewPermissions('ConsoleBudgetManagement')]
const side = z.object({ budgetId: budgetMongoId, version: z.int().positive().nullish() })
const year = z.int().min(0).max(4)

/** Earlier versions of a budget, and the differences between two of them. */
export const versionRouter = router({
  /** The days on which a budget changed, newest first, each with its last version, and the named versions. */
  timeline: inBudget(reading, 'short')
    .output(replies.timeline)
    .query(async ({ ctx }) => {
      const days = await ctx.inTransaction((tx) => readChangedDays(tx, ctx))
      const names = await readUserNames(
        ctx.services.store,
        days.flatMap((day) => day.actorIds),
      )
      const nameOf = (id: number | null): string => nameActor(names, id)
      return {
        version: ctx.budget.version,
        moments: ctx.budget.head.moments,
        days: days.map(({ actorIds, ...rest }) => ({ ...rest, people: [...new Set(actorIds.map(nameOf))].sort() })),
      }
    }),
  name: inBudget(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'], 'short')
    .input(
      z.object({
        version: z.int().positive(),
        name: z.string().trim().max(100, 'Name can have at most 100 characters.').nullable(),
      }),
    )
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runNameVersion({ ...ctx, tx }, input.version, input.name || null))),
  /** A read-only view of a budget at a version: its years, codes, contracts and entries. */
  at: inBudget(reading, 'longReport')
    .input(z.object({ version: z.int().positive() }))
    .output(replies.pastBudget)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { snapshot, events } = await loadVisibleSnapshot({ ...ctx, tx }, input.version)
        const { head, lines, contracts, state } = snapshot
        const codes = await readCodesForTotals(tx, head.locationId)
        const sums = lines.map((line) => ({
          code: line.budgetCodeId === null ? null : (codes.get(line.budgetCodeId)?.facts ?? null),
          isStaff: isStaffSource(line.source),
          year: line.year,
          total: line.total,
          missing: line.missing,
        }))
        const openings = new Map<number, number>()
        for (const { kind, item } of state.items.values())
          if (kind === 'balance') openings.set(item.type, (openings.get(item.type) ?? 0) + item.value)
        const seesStaff = canSeeStaff(ctx.holder)
        const people = seesStaff
          ? await loadStaffByIds(tx, ctx.organisationId, [
              ...new Set([...contracts.values()].flatMap(({ contract }) => contract.staffId ?? [])),
            ])
          : new Map()
        const byCode = new Map<number | null, { total: number; missing: number }[]>()
        for (const { budgetCodeId, year: index, total, missing } of lines) {
          const years = byCode.get(budgetCodeId) ?? Array.from({ length: head.numberOfYears }, () => ({ total: 0, missing: 0 }))
          const sum = assertDefined(years[index])
          years[index] = { total: sum.total + total, missing: sum.missing + missing }
          byCode.set(budgetCodeId, years)
        }
        return {
          name: head.name,
          at: assertDefined(events.at(-1)).occurredAt,
          version: snapshot.version,
          moment: ctx.budget.head.moments.find((moment) => moment.version === snapshot.version)?.name ?? null,
          yearNames: Array.from({ length: head.numberOfYears }, (_unused, index) => formatBudgetYear(head.firstYear, index)),
          years: calculateOverviewYears(sums, openings, head.numberOfYears).map(presentOverviewYear),
          codes: combineStaffCodes(
            [...byCode].map(([budgetCodeId, years]) => ({ budgetCodeId, years })),
            seesStaff ? null : findStaffCodes([snapshot]),
            (rows) => ({
              budgetCodeId: null,
              years: Array.from({ length: head.numberOfYears }, (_unused, index) => ({
                total: rows.reduce((sum, row) => sum + assertDefined(row.years[index]).total, 0),
                missing: rows.reduce((sum, row) => sum + assertDefined(row.years[index]).missing, 0),
              })),
            }),
          )
            .map(({ row: { budgetCodeId: id, years }, isStaff }) => ({
              ...(isStaff
                ? combinedStaffCode
                : {
                    code: id === null ? '' : (codes.get(id)?.record.code ?? String(id)),
                    description: id === null ? 'Apprenticeship levy' : (codes.get(id)?.description ?? ''),
                    isIncome: id !== null && (codes.get(id)?.facts.isIncome ?? false),
                  }),
              /** Pounds; null if nothing in the year could be calculated. `missing` counts the months that a sum leaves out. */
              years: years.map(({ total, missing }) => (missing > 0 && total === 0 ? null : toPounds(total))),
              missing: years.map(({ missing }) => missing),
            }))
            .sort((a, b) => Number(b.isIncome) - Number(a.isIncome) || a.code.localeCompare(b.code, 'en-GB', { numeric: true })),
          contracts: seesStaff
            ? [...contracts.values()].map(({ contract, years }) => {
                const member = contract.staffId === null ? undefined : people.get(contract.staffId)
                return {
                  id: contract.id,
                  name: contract.contractName,
                  person: member ? `${member.surname}, ${member.forename}` : null,
                  years: years.map((amount) => (amount === null ? null : toPounds(amount))),
                }
              })
            : null,
          entries: [...state.items.values()].flatMap((stored) =>
            stored.kind === 'entry'
              ? [
                  {
                    id: stored.id,
                    description: stored.item.description,
                    code: codes.get(stored.item.budgetCodeId)?.record.code ?? '',
                    years: calculateEntryYears(stored.item, head.numberOfYears).map(({ amount }) =>
                      amount === null ? null : toPounds(amount),
                    ),
                  },
                ]
              : [],
          ),
        }
      }),
    ),
  compare: inOrganisation(reading, 'longReport')
    .input(z.object({ a: side, b: side }))
    .output(replies.compare)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => compareSides({ ...ctx, tx }, input.a, input.b))),
  compareFile: inOrganisation(reading, 'reportFile')
    .input(z.object({ a: side, b: side }))
    .output(csvReply)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => toComparisonFile(await compareSides({ ...ctx, tx }, input.a, input.b), ctx.now)),
    ),
  /** How much each cause changed the cost between two versions. `year` is an index into each budget's own years; the first is 0. */
  bridge: inOrganisation(reading, 'longReport')
    .input(z.object({ a: side.extend({ year }), b: side.extend({ year }) }))
    .output(replies.bridge)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => calculateBridge({ ...ctx, tx }, input.a, input.b))),
})
