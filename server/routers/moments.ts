import { z } from 'zod'
import { mongoId } from '../../domain/budget/budget.ts'
import { yearsOf } from '../../domain/budget/items/budgetEntry.ts'
import { type OverviewYear, overviewYears } from '../../domain/calculation/balances.ts'
import { yearName } from '../../domain/calendar.ts'
import { poundsOf } from '../../domain/format.ts'
import { either, may } from '../../domain/permissions.ts'
import { runNameMoment } from '../commands/approval.ts'
import { readEvents } from '../store/eventLog.ts'
import { summedCodes } from '../store/overviewStore.ts'
import { loadPicture } from '../store/pictureStore.ts'
import { userNames } from '../store/referenceLog.ts'
import { staffByIds } from '../store/staffStore.ts'
import { inBudget, inOrganisation, router } from '../trpc/procedures.ts'
import { bridged, compared, comparedFile } from './comparing.ts'

const reading = [...either('BudgetingOverview'), ...either('ConsoleBudgetManagement')]
const side = z.object({ budgetId: mongoId, version: z.int().positive().nullish() })
const year = z.int().min(0).max(4)

/** Earlier moments of a budget, and what lies between two of them. */
export const momentRouter = router({
  /** The days on which a budget changed, newest first, with the last version of each, and the moments that have a name. */
  timeline: inBudget(reading).query(async ({ ctx }) => {
    const events = await ctx.inTransaction((tx) => readEvents(tx, ctx.organisationId, ctx.budgetId))
    const names = await userNames(
      ctx.services.store,
      events.map((event) => event.actorId),
    )
    const days = new Map<string, { day: string; at: string; version: number; changes: number; people: Set<string> }>()
    for (const { occurredAt, version, actorId } of events) {
      const day = occurredAt.slice(0, 10)
      const known = days.get(day) ?? { day, at: occurredAt, version, changes: 0, people: new Set<string>() }
      known.people.add(actorId === null ? 'System' : (names.get(actorId) ?? 'Unknown'))
      days.set(day, { ...known, at: occurredAt, version, changes: known.changes + 1 })
    }
    return {
      version: ctx.budget.version,
      moments: ctx.budget.head.moments,
      days: [...days.values()].reverse().map(({ people, ...rest }) => ({ ...rest, people: [...people].sort() })),
    }
  }),
  name: inBudget(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'])
    .input(
      z.object({
        version: z.int().positive(),
        name: z.string().trim().max(100, 'Name can have at most 100 characters.').nullable(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runNameMoment(tx, ctx, input.version, input.name || null))),
  /** A budget as it stood at a version, to read: its years, codes, contracts and entries. */
  at: inBudget(reading)
    .input(z.object({ version: z.int().positive() }))
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const { picture, events } = await loadPicture(tx, ctx.organisationId, ctx.budgetId, input.version)
        const { head, lines, contracts, state } = picture
        const codes = await summedCodes(tx, head.locationId)
        const sums = lines.map((line) => ({
          code: line.budgetCodeId === null ? null : (codes.get(line.budgetCodeId)?.facts ?? null),
          isStaff: line.source === 'contract' || line.source === 'levy',
          year: line.year,
          total: line.total,
          missing: line.missing,
        }))
        const openings = new Map<number, number>()
        for (const { kind, item } of state.items.values())
          if (kind === 'balance') openings.set(item.type, (openings.get(item.type) ?? 0) + item.value)
        const seesStaff = ctx.holder.isAdministrator || may(ctx.holder, either('BudgetingStaffing'))
        const people = seesStaff
          ? await staffByIds(tx, ctx.organisationId, [
              ...new Set([...contracts.values()].flatMap(({ contract }) => contract.staffId ?? [])),
            ])
          : new Map()
        const byCode = new Map<number | null, number[]>()
        for (const line of lines) {
          const years = byCode.get(line.budgetCodeId) ?? Array<number>(head.numberOfYears).fill(0)
          years[line.year]! += line.total
          byCode.set(line.budgetCodeId, years)
        }
        return {
          name: head.name,
          at: events.at(-1)!.occurredAt,
          version: picture.version,
          moment: ctx.budget.head.moments.find((moment) => moment.version === picture.version)?.name ?? null,
          yearNames: Array.from({ length: head.numberOfYears }, (_unused, index) => yearName(head.firstYear, index)),
          years: overviewYears(sums, openings, head.numberOfYears).map(({ balances: _balances, missing, ...figures }) => ({
            ...Object.fromEntries(Object.entries(figures).map(([name, pennies]) => [name, poundsOf(pennies)])),
            missing,
          })) as Record<Exclude<keyof OverviewYear, 'balances'>, number>[],
          codes: [...byCode]
            .map(([id, years]) => ({
              code: id === null ? '' : (codes.get(id)?.record.code ?? String(id)),
              description: id === null ? 'Apprenticeship levy' : (codes.get(id)?.description ?? ''),
              isIncome: id !== null && (codes.get(id)?.facts.isIncome ?? false),
              years: years.map(poundsOf),
            }))
            .sort((a, b) => Number(b.isIncome) - Number(a.isIncome) || a.code.localeCompare(b.code, 'en-GB', { numeric: true })),
          contracts: seesStaff
            ? [...contracts.values()].map(({ contract, years }) => {
                const member = contract.staffId === null ? undefined : people.get(contract.staffId)
                return {
                  id: contract.id,
                  name: contract.contractName,
                  person: member ? `${member.surname}, ${member.forename}` : null,
                  years: years.map((amount) => (amount === null ? null : poundsOf(amount))),
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
                    years: yearsOf(stored.item, head.numberOfYears).map(({ amount }) => (amount === null ? null : poundsOf(amount))),
                  },
                ]
              : [],
          ),
        }
      }),
    ),
  compare: inOrganisation(reading)
    .input(z.object({ a: side, b: side }))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => compared(tx, ctx, input.a, input.b))),
  compareFile: inOrganisation(reading)
    .input(z.object({ a: side, b: side }))
    .query(({ ctx, input }) => ctx.inTransaction(async (tx) => comparedFile(await compared(tx, ctx, input.a, input.b), ctx.now))),
  /** The years count from the first of each budget, from 0. */
  bridge: inOrganisation(reading)
    .input(z.object({ a: side.extend({ year }), b: side.extend({ year }) }))
    .query(({ ctx, input }) => ctx.inTransaction((tx) => bridged(tx, ctx, input.a, input.b))),
})
