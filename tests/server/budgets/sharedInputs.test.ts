import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { staffContractInput } from '../../../domain/budget/budget.ts'
import { type BudgetId, type ContractId, type OrganisationId, toUserId } from '../../../domain/values/ids.ts'
import { staffCosts } from '../../../drizzle/costTables.ts'
import { allowances, budgets, staffContracts } from '../../../drizzle/schema.ts'
import type { BudgetRow } from '../../../server/core/calls/selectedBudget.ts'
import { type OrganisationTx, openStore, type Store } from '../../../server/core/database/database.ts'
import { runSaveContract } from '../../../server/features/staffing/contracts/commands.ts'
import { readSharedInputs, readStoredInputs } from '../../../server/shared/costing/inputs/queries.ts'
import { readContractRow } from '../../../server/shared/staffing/contracts/queries.ts'
import { loadBudget } from '../../../server/streams/budget/queries.ts'
import { connectAsOwner, createDatabase } from '../../support/product/database.ts'
import { testDataKey } from '../../support/product/dataKey.ts'

let store: Store
let row: BudgetRow
let contractId: ContractId
/** Stands for another server: it shares only the database with this one. */
let elsewhere: ReturnType<typeof connectAsOwner>
let requests = 0
const inside = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(row.organisationId, work)
const read = (tx: OrganisationTx) => readSharedInputs({ tx, organisationId: row.organisationId }, [row.head])
const actor = () => ({ userId: toUserId(1), requestId: `shared-${++requests}`, now: new Date('2026-11-01T12:00:00Z') })

beforeAll(async () => {
  const url = await createDatabase()
  store = openStore({ databaseUrl: url, dataKey: testDataKey }, 2)
  elsewhere = connectAsOwner(url)
  await elsewhere`select set_config('app.organisation_id', '*', false)`
  const [found] = await store.asPlatform((tx) =>
    tx
      .select({ id: budgets.id, organisationId: budgets.organisationId, contractId: staffContracts.id })
      .from(budgets)
      .innerJoin(staffContracts, and(eq(staffContracts.organisationId, budgets.organisationId), eq(staffContracts.budgetId, budgets.id)))
      .innerJoin(staffCosts, and(eq(staffCosts.budgetId, budgets.id), eq(staffCosts.contractId, staffContracts.id)))
      .where(and(eq(budgets.name, '2026/27 Working'), eq(staffContracts.type, 1), eq(staffCosts.isIncomplete, false)))
      .limit(1),
  )
  contractId = found!.contractId
  row = await store.inOrganisation(found!.organisationId, (tx) => loadBudget({ tx, organisationId: found!.organisationId }, found!.id))
  return () => store.close()
})

/** Saves the contract unchanged. @returns its cost in the first year afterwards */
async function costAfterSave(): Promise<number> {
  return inside(async (tx) => {
    const scope = { organisationId: row.organisationId, budgetId: row.id }
    const contract = staffContractInput.parse(await readContractRow({ ...scope, tx }, contractId))
    await runSaveContract(tx, { ...scope, input: contract, actor: actor() })
    return (await readContractRow({ ...scope, tx }, contractId)).costYears![0]!
  })
}

describe('the shared inputs of all contracts’ calculations', () => {
  it('are loaded once, and are the same for the next save', async () => {
    expect(await inside(read)).toBe(await inside(read))
  })
  it('are loaded again by the next save after another server changed them, for everybody or for the organisation', async () => {
    const before = await costAfterSave()
    expect(await costAfterSave()).toBe(before)
    await elsewhere`update pay_scale_points set main_rate = main_rate * 2, inner_rate = inner_rate * 2, outer_rate = outer_rate * 2, fringe_rate = fringe_rate * 2`
    const doubled = await costAfterSave()
    expect(doubled).toBeGreaterThan(before * 1.8)
    await elsewhere`update staff_er_pension_rates set rate = 0 where organisation_id = ${row.organisationId}`
    expect(await costAfterSave()).toBeLessThan(doubled * 0.9)
  })
  it('are not cached from a save that changed them itself, least of all one that was rolled back', async () => {
    const before = await inside(read)
    await expect(
      inside(async (tx) => {
        await tx
          .update(allowances)
          .set({ name: sql`name || ' of nobody'` })
          .where(eq(allowances.organisationId as never, row.organisationId))
        expect(Object.values((await read(tx)).labels).some((label) => label.endsWith('of nobody'))).toBe(true)
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect(await inside(read)).toBe(before)
  })
  it('belong to one organisation each', async () => {
    const others = await store.asPlatform((tx) => tx.select({ id: budgets.id, organisationId: budgets.organisationId }).from(budgets))
    const other = others.find((one) => one.organisationId !== row.organisationId)!
    const theirs = await store.inOrganisation(other.organisationId, async (tx) => {
      const { head } = await loadBudget({ tx, organisationId: other.organisationId }, other.id)
      return readSharedInputs({ tx, organisationId: other.organisationId }, [head])
    })
    const ours = await inside(read)
    expect(Object.keys(theirs.contractTypes)).not.toEqual(Object.keys(ours.contractTypes))
    expect(Object.keys(theirs.allowances).filter((id) => id in ours.allowances)).toEqual([])
  })
  it('are never those of another organisation when budgets of both are recalculated at the same time', async () => {
    const kept = await elsewhere<{ organisation_id: OrganisationId; budget_id: BudgetId; inputs: string }[]>`
      select distinct on (organisation_id) organisation_id, budget_id, data ->> 'inputs' as inputs from budget_events
      where type = 'StaffContractsRecalculated' order by organisation_id, position`
    expect(kept.length).toBeGreaterThan(1)
    const typesOf = async ({ organisation_id: organisationId, budget_id: budgetId, inputs }: (typeof kept)[number]) => {
      const { shared } = await store.inOrganisation(organisationId, (tx) => readStoredInputs({ tx, organisationId, budgetId }, inputs))
      return Object.keys(shared.contractTypes).join()
    }
    const own: string[] = []
    for (const one of kept) own.push(await typesOf(one))
    expect(new Set(own).size).toBe(kept.length)
    for (let round = 0; round < 20; round++) expect(await Promise.all(kept.map(typesOf))).toEqual(own)
  })
  it('cannot be changed by the calculation', async () => {
    const shared = await inside(read)
    expect(() => Object.assign(shared.labels, { x: 'x' })).toThrow(TypeError)
  })
})
