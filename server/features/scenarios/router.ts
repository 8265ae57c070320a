import { z } from 'zod'
import { mongoId } from '../../../domain/budget/budget.ts'
import { awardChange, type ScenarioChange, scenarioInput } from '../../../domain/budget/items/scenario.ts'
import type { OverviewFigures, OverviewYear } from '../../../domain/calculation/nonStaffing/balances.ts'
import { listAwardsInForce } from '../../../domain/calculation/staffing/awardsInForce.ts'
import { explainUnchanged, placeTrialAward, type TrialAward } from '../../../domain/calculation/staffing/whatIf.ts'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { canSeeStaff, hasAnyPermission, listViewPermissions } from '../../../domain/people/permissions.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { dayInLondon, displayDate, displayMoney, toPounds } from '../../../domain/values/format.ts'
import { type ContractId, toContractId } from '../../../domain/values/ids.ts'
import { DomainError, forbidden } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import { inBudget, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { announceRecalculationRequired } from '../../core/live/announce.ts'
import { deletedVersions } from '../../resources/replies.ts'
import { readHistoryNames } from '../../shared/budgetHistory/queries.ts'
import { readHiddenCodes } from '../../shared/fewPeople/queries.ts'
import { createEntryId } from '../../shared/nonStaffing/entries/commands.ts'
import { presentOverviewYear, readOverview } from '../../shared/overview/queries.ts'
import * as replies from '../../shared/scenarios/replies.ts'
import { groupAwards } from '../../shared/whatIf/queries.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { markBudgetForRecalculation } from '../../streams/budget/marks.ts'
import { loadStaffByIds } from '../../streams/budget/people.ts'
import { runApplyScenario, runDeleteScenario, runSaveScenario } from './commands.ts'
import {
  calculateAwardEffect,
  evaluateScenario,
  findHiddenScenarios,
  listVisibleEffects,
  type PreparedScenarioBase,
  prepareScenarioBase,
} from './queries.ts'

const writing = ['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'] as const
/** The most scenarios compared side by side. */
const mostCompared = 4

/** Describes changes as sentences. People and posts are named only for callers who may see staff. */
async function createDescriber({ tx, organisationId }: Call<'organisationId'>, holder: CallerRights, prepared: PreparedScenarioBase) {
  const nameOf = await readHistoryNames(tx, organisationId, [])
  const seesStaff = canSeeStaff(holder)
  const ids = seesStaff ? [...new Set([...prepared.contracts.values()].flatMap((contract) => contract.staffId ?? []))] : []
  const people = await loadStaffByIds(tx, organisationId, ids)
  const contractName = (id: ContractId): string => {
    const contract = prepared.contracts.get(id)
    if (contract && !seesStaff) return 'A staff contract'
    if (!contract) return 'a deleted contract'
    const member = contract.staffId === null ? undefined : people.get(contract.staffId)
    return member ? `${member.surname}, ${member.forename}: ${contract.contractName}` : contract.contractName
  }
  const year = (index: number): string => formatBudgetYear(prepared.row.head.firstYear, index)
  const tell = (change: ScenarioChange): string => {
    switch (change.kind) {
      case 'award':
        return `Award of ${change.rate}% from ${displayDate(change.effectiveDate)} for ${change.contractTypeIds.map((id) => nameOf('contractType', id)).join(', ')}`
      case 'removePost':
        return `${contractName(change.contractId)} ends before ${displayDate(change.from)}`
      case 'hours':
        return `${contractName(change.contractId)} ${seesStaff ? `works ${change.percentage}% of the current hours` : 'changes its hours'} from ${displayDate(change.from)}`
      case 'entry':
        return `${prepared.entries.get(change.entryId)?.description ?? 'An entry that is gone'}: ${change.percentage > 0 ? '+' : ''}${change.percentage}%`
      case 'newEntry':
        return `New: ${change.description}, ${displayMoney(change.amount)} from ${year(change.firstYear)} on ${prepared.codes.get(change.budgetCodeId)?.record.code ?? 'a code'}`
      case 'pupils':
        return `${getLookupName('pupilYearGroups', change.yearGroup) ?? 'A year group'}: ${change.by > 0 ? '+' : ''}${change.by} pupils from ${year(change.firstYear)}`
    }
  }
  return { tell, contractName }
}

type StaffChange = Extract<ScenarioChange, { contractId: ContractId }>
const isAboutStaff = (change: ScenarioChange): change is StaffChange => 'contractId' in change

/** Hides the contract of a change and its new hours from readers who may not see staff. They see only that a contract changes, and when. */
function hideStaff(change: ScenarioChange): ScenarioChange {
  if (!isAboutStaff(change)) return change
  const contractId = toContractId('0'.repeat(24))
  return change.kind === 'hours' ? { ...change, contractId, percentage: 0 } : { ...change, contractId }
}

type AwardChange = Extract<ScenarioChange, { kind: 'award' }>
const toTrialAward = ({ contractTypeIds, effectiveDate, rate }: AwardChange): TrialAward => ({
  contractTypeIds,
  effectiveDate,
  rate: String(rate),
})
const typeName = ({ shared }: PreparedScenarioBase, id: number): string => shared.labels[`type:${id}`] ?? 'A deleted contract type'

/** The contract types that have contracts. */
function listUsedTypes({ contracts }: Pick<PreparedScenarioBase, 'contracts'>): number[] {
  return [...new Set([...contracts.values()].map((contract) => contract.contractTypeId))].sort((a, b) => a - b)
}

/** Sentences that say, by contract type, which awards a new award replaces or adds to, and which contracts it does not reach. */
function listAwardNotes({ frozen, shared, contracts }: PreparedScenarioBase, change: AwardChange): string[] {
  const used = new Set(listUsedTypes({ contracts }))
  const bySentence = new Map<string, string[]>()
  for (const [id, { sentences }] of placeTrialAward(frozen, shared, toTrialAward(change)))
    if (used.has(id))
      for (const sentence of sentences) bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), shared.labels[`type:${id}`] ?? ''])
  return [...bySentence].map(([sentence, names]) => `${names.join(', ')}: ${sentence}`)
}

/** Adds the effect of a scenario to a year of the budget. The effect is the difference between two calculations with the same inputs. */
function addEffect(standing: OverviewYear, before: OverviewYear, after: OverviewYear): OverviewYear {
  const moved = (now: OverviewFigures, was: OverviewFigures, is: OverviewFigures): OverviewFigures => ({
    income: now.income + is.income - was.income,
    staffing: now.staffing + is.staffing - was.staffing,
    nonStaffing: now.nonStaffing + is.nonStaffing - was.nonStaffing,
    inYear: now.inYear + is.inYear - was.inYear,
    opening: now.opening + is.opening - was.opening,
    closing: now.closing + is.closing - was.closing,
  })
  return {
    ...after,
    ...moved(standing, before, after),
    missing: standing.missing + after.missing - before.missing,
    gaps: moved(standing.gaps, before.gaps, after.gaps),
  }
}

/**
 * Scenarios of a budget: named lists of changes, recalculated from the budget's current state each time they are
 * viewed.
 */
export const scenarioRouter = router({
  list: inBudget(listViewPermissions('BudgetingOverview'), 'short')
    .output(replies.list)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const stored = await loadItems({ ...ctx, tx }, 'scenario')
        const prepared = await prepareScenarioBase(tx, ctx.budget, createEntryId)
        const { tell, contractName } = await createDescriber({ ...ctx, tx }, ctx.holder, prepared)
        const base = await evaluateScenario(tx, prepared, [])
        // Add each effect to the figures of the budget summary, so that a budget has the same figures on every screen.
        const { years: standing } = await readOverview(tx, ctx.budget)
        const seesStaff = canSeeStaff(ctx.holder)
        await readHiddenCodes({ ...ctx, tx }, [ctx.budgetId])
        const evaluated = []
        for (const one of stored) evaluated.push({ ...one, is: await evaluateScenario(tx, prepared, one.item.changes) })
        const notTold = seesStaff
          ? new Set()
          : findHiddenScenarios(
              base,
              evaluated.map(({ is }) => is),
            )
        const scenarios = evaluated.map(({ id, version, item, is }) => {
          const { applied, years, notCalculated } = is
          const isWithheld = notTold.has(is)
          return {
            id,
            version,
            name: item.name,
            changes: item.changes.map((change, index) => ({
              change: seesStaff ? change : hideStaff(change),
              words: tell(change),
              conflict: applied.conflicts[index] ?? null,
              notes: change.kind === 'award' ? listAwardNotes(prepared, change) : [],
            })),
            isWithheld,
            years: isWithheld
              ? []
              : years.map((year, index) =>
                  presentOverviewYear(addEffect(assertDefined(standing[index]), assertDefined(base.years[index]), year)),
                ),
            notCalculated,
          }
        })
        return {
          mostCompared,
          yearNames: base.years.map((_year, index) => formatBudgetYear(ctx.budget.head.firstYear, index)),
          base: { years: standing.map(presentOverviewYear), notCalculated: base.notCalculated },
          scenarios,
          /** The records that the user can choose for a change. */
          contracts: seesStaff
            ? [...prepared.contracts.keys()].map((id) => ({ id, name: contractName(id) })).sort((a, b) => a.name.localeCompare(b.name))
            : [],
          entries: [...prepared.entries].flatMap(([id, entry]) =>
            entry.source ? [] : [{ id, name: `${prepared.codes.get(entry.budgetCodeId)?.record.code ?? ''} ${entry.description}`.trim() }],
          ),
          yearGroups: prepared.pupils.flatMap((row) => (row.kind === 'Phase' && row.yearGroup !== null ? [row.yearGroup] : [])),
          contractTypes: listUsedTypes(prepared).map((id) => ({ id, name: typeName(prepared, id) })),
          today: dayInLondon(ctx.now),
          /** The awards already in force, from pay tables and staff assumptions. */
          standing: groupAwards(listAwardsInForce(prepared.frozen, prepared.shared, listUsedTypes(prepared))),
        }
      }),
    ),
  /** The effect of an award on this budget by contract type, before it is added to a scenario. */
  award: inBudget(listViewPermissions('BudgetingOverview'), 'report')
    .input(awardChange)
    .output(replies.award)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const prepared = await prepareScenarioBase(tx, ctx.budget, createEntryId)
        await readHiddenCodes({ ...ctx, tx }, [ctx.budgetId])
        const all = calculateAwardEffect(prepared, toTrialAward(input))
        const effects = canSeeStaff(ctx.holder)
          ? all.map((one) => ({ ...one, isOfFew: false }))
          : listVisibleEffects(prepared, toTrialAward(input), all)
        return effects.map(({ contractTypeId, isOfFew, before, after, sentences, ...counts }) => ({
          contractTypeId,
          name: isOfFew ? 'Contract types with few people' : typeName(prepared, contractTypeId),
          years: before.map((pennies, year) => ({ before: toPounds(pennies), after: toPounds(assertDefined(after[year])) })),
          sentences: [...sentences, explainUnchanged(counts)].filter((sentence) => sentence !== null),
        }))
      }),
    ),
  save: inBudget(writing, 'short')
    .input(scenarioInput)
    .output(replies.savedScenarioId)
    .mutation(({ ctx, input }) => {
      // Removing a post would reveal its cost.
      if (!canSeeStaff(ctx.holder) && input.changes.some(isAboutStaff))
        throw new DomainError('forbidden', 'forbidden', 'This scenario changes staff contracts. Ask someone who can view staff to save it.')
      return ctx.inTransaction((tx) => runSaveScenario({ ...ctx, tx }, input))
    }),
  delete: inBudget(writing, 'short')
    .input(z.object({ id: mongoId }))
    .output(deletedVersions)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runDeleteScenario({ ...ctx, tx }, input.id))),
  /**
   * Applies a scenario to the budget. It may change staff, entries and assumptions, so the caller needs permission for
   * all of these.
   */
  become: inBudget(['ConsoleBudgetManagementReadUpdate'], 'short')
    .input(z.object({ id: mongoId }))
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      const { holder } = ctx
      const all = ['BudgetingStaffingReadUpdate', 'BudgetingNonStaffingReadUpdate'] as const
      if (!holder.isAdministrator && !all.every((permission) => hasAnyPermission(holder, [permission]))) throw forbidden()
      const required = await ctx.inTransaction(async (tx) => {
        await runApplyScenario({ ...ctx, tx }, { ...ctx.rows, organisationId: ctx.organisationId }, input.id)
        return markBudgetForRecalculation({ ...ctx, tx }, 'A scenario that became the budget')
      })
      await announceRecalculationRequired(ctx.services, required)
    }),
})
