import { z } from 'zod'
import { mongoId } from '../../domain/budget/budget.ts'
import { type ScenarioChange, scenarioInput } from '../../domain/budget/items/scenario.ts'
import type { OverviewYear } from '../../domain/calculation/balances.ts'
import { yearName } from '../../domain/calendar.ts'
import { forbidden } from '../../domain/errors.ts'
import { displayDate, money, poundsOf } from '../../domain/format.ts'
import { lookupName } from '../../domain/lookups.ts'
import { either, may } from '../../domain/permissions.ts'
import { announceRequired } from '../announce.ts'
import { newId } from '../commands/entries.ts'
import { runApplyScenario, runDeleteScenario, runSaveScenario } from '../commands/scenarios.ts'
import type { OrganisationTx } from '../store/database.ts'
import { markBudgetRequired } from '../store/groupStore.ts'
import { loadItems } from '../store/itemStore.ts'
import { evaluate, type ScenarioGround, scenarioGround } from '../store/scenarioStore.ts'
import { staffByIds } from '../store/staffStore.ts'
import type { Holder } from '../trpc/context.ts'
import { inBudget, router } from '../trpc/procedures.ts'
import { namesOf } from './historyNames.ts'

const writing = ['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'] as const
/** So many are looked at side by side. */
const mostCompared = 4

const inPounds = ({ income, staffing, nonStaffing, inYear, opening, closing, missing }: OverviewYear) => ({
  income: poundsOf(income),
  staffing: poundsOf(staffing),
  nonStaffing: poundsOf(nonStaffing),
  inYear: poundsOf(inYear),
  opening: poundsOf(opening),
  closing: poundsOf(closing),
  missing,
})

/** Changes in words; people are named to those who may see staff. */
async function wordsFor(tx: OrganisationTx, organisationId: number, holder: Holder, ground: ScenarioGround) {
  const nameOf = await namesOf(tx, organisationId, [])
  const seesStaff = holder.isAdministrator || may(holder, either('BudgetingStaffing'))
  const ids = seesStaff ? [...new Set([...ground.contracts.values()].flatMap((contract) => contract.staffId ?? []))] : []
  const people = await staffByIds(tx, organisationId, ids)
  const contractName = (id: string): string => {
    const contract = ground.contracts.get(id)
    if (!contract) return 'a contract that is gone'
    const member = contract.staffId === null ? undefined : people.get(contract.staffId)
    return member ? `${member.surname}, ${member.forename}: ${contract.contractName}` : contract.contractName
  }
  const year = (index: number): string => yearName(ground.row.head.firstYear, index)
  const tell = (change: ScenarioChange): string => {
    switch (change.kind) {
      case 'award':
        return `Award of ${change.rate} % from ${displayDate(change.effectiveDate)} for ${change.contractTypeIds.map((id) => nameOf('contractType', id)).join(', ')}`
      case 'removePost':
        return `${contractName(change.contractId)} ends before ${displayDate(change.from)}`
      case 'hours':
        return `${contractName(change.contractId)} works ${change.percentage} % of the hours from ${displayDate(change.from)}`
      case 'entry':
        return `${ground.entries.get(change.entryId)?.description ?? 'An entry that is gone'}: ${change.percentage > 0 ? '+' : ''}${change.percentage} %`
      case 'newEntry':
        return `New: ${change.description}, ${money(change.amount)} from ${year(change.firstYear)} on ${ground.codes.get(change.budgetCodeId)?.record.code ?? 'a code'}`
      case 'pupils':
        return `${lookupName('pupilYearGroups', change.yearGroup) ?? 'A year group'}: ${change.by > 0 ? '+' : ''}${change.by} pupils from ${year(change.firstYear)}`
    }
  }
  return { tell, contractName }
}

/** Scenarios over a budget: named lists of changes that are worked out anew from the budget as it stands, whenever they are looked at. */
export const scenarioRouter = router({
  list: inBudget(either('BudgetingOverview')).query(({ ctx }) =>
    ctx.inTransaction(async (tx) => {
      const stored = await loadItems(tx, ctx.organisationId, ctx.budgetId, 'scenario')
      const ground = await scenarioGround(tx, ctx.budget, newId)
      const { tell, contractName } = await wordsFor(tx, ctx.organisationId, ctx.holder, ground)
      const base = await evaluate(tx, ground, [])
      const scenarios = []
      for (const { id, version, item } of stored) {
        const { applied, years, notCalculated } = await evaluate(tx, ground, item.changes)
        scenarios.push({
          id,
          version,
          name: item.name,
          changes: item.changes.map((change, index) => ({ change, words: tell(change), conflict: applied.conflicts[index]! })),
          years: years.map(inPounds),
          notCalculated,
        })
      }
      const seesStaff = ctx.holder.isAdministrator || may(ctx.holder, either('BudgetingStaffing'))
      return {
        mostCompared,
        yearNames: base.years.map((_year, index) => yearName(ctx.budget.head.firstYear, index)),
        base: { years: base.years.map(inPounds), notCalculated: base.notCalculated },
        scenarios,
        /** What changes can be about. */
        contracts: seesStaff
          ? [...ground.contracts.keys()].map((id) => ({ id, name: contractName(id) })).sort((a, b) => a.name.localeCompare(b.name))
          : [],
        entries: [...ground.entries].flatMap(([id, entry]) =>
          entry.source ? [] : [{ id, name: `${ground.codes.get(entry.budgetCodeId)?.record.code ?? ''} ${entry.description}`.trim() }],
        ),
        yearGroups: ground.pupils.flatMap((row) => (row.kind === 'Phase' && row.yearGroup !== null ? [row.yearGroup] : [])),
        contractTypeIds: ctx.budget.head.contractTypeIds,
      }
    }),
  ),
  save: inBudget(writing)
    .input(scenarioInput)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runSaveScenario(tx, ctx, input))),
  delete: inBudget(writing)
    .input(z.object({ id: mongoId }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runDeleteScenario(tx, ctx, input.id))),
  /** Turns a scenario into the budget. It may change staff, entries and assumptions, so the caller must be allowed to change all of these. */
  become: inBudget(['ConsoleBudgetManagementReadUpdate'])
    .input(z.object({ id: mongoId }))
    .mutation(async ({ ctx, input }) => {
      const { holder } = ctx
      const all = ['BudgetingStaffingReadUpdate', 'BudgetingNonStaffingReadUpdate'] as const
      if (!holder.isAdministrator && !all.every((permission) => may(holder, [permission]))) throw forbidden()
      const required = await ctx.inTransaction(async (tx) => {
        await runApplyScenario(tx, ctx, { ...ctx.rows, organisationId: ctx.organisationId }, input.id)
        return markBudgetRequired(tx, ctx.organisationId, ctx.budgetId, 'A scenario that became the budget', ctx.now)
      })
      await announceRequired(ctx.services, required)
    }),
})
