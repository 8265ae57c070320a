import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { payrollMonthState } from '../../domain/lookups/lookupIds.ts'
import { type PayCause, payCauses } from '../../domain/payroll/causes/causes.ts'
import { sumDifferencesByEmployee } from '../../domain/payroll/reconcile.ts'
import type { BudgetGroupId } from '../../domain/values/ids.ts'
import { budgetGroups } from '../../drizzle/schema.ts'
import { type OrganisationTx, openStore, type Store } from '../../server/core/database/database.ts'
import { explainMonth, readMonthToExplain } from '../../server/features/payroll/causes/queries.ts'
import type { LimitedCaller } from '../../server/shared/monitoring/requests/queries.ts'
import { type Reconciliation, readReconciliation } from '../../server/shared/payroll/queries.ts'
import { createDatabase } from '../support/product/database.ts'
import { testDataKey } from '../support/product/dataKey.ts'
import { atEnd } from '../support/product/endings.ts'
import { novemberPayroll } from '../support/stories/novemberPayroll.ts'

let store: Store
let who: LimitedCaller
let groupId: BudgetGroupId

beforeAll(async () => {
  store = openStore({ databaseUrl: await createDatabase(), dataKey: testDataKey }, 2)
  atEnd(() => store.close())
  const [group] = await store.asPlatform((tx) =>
    tx
      .select({ id: budgetGroups.id, organisationId: budgetGroups.organisationId })
      .from(budgetGroups)
      .where(eq(budgetGroups.name, 'Harbour Learning Trust 2026/27')),
  )
  groupId = group!.id
  who = { organisationId: group!.organisationId, holder: { locationIds: null } }
})

const inTrust = <T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T> => store.inOrganisation(who.organisationId, work)
const monthOf = (month: number): Promise<Reconciliation> =>
  inTrust((tx) => readReconciliation({ ...who, tx }, { year: 2026, month, groupId, useInflation: true }))

describe('the payroll of the demo', () => {
  it('has September completed: an award that was paid late is carried forward to the penny, as in the example in the rules', async () => {
    const { rows, month, proof, notes } = await monthOf(9)
    expect([month.state, proof.holds]).toEqual([payrollMonthState.complete, true])
    const differing = [...sumDifferencesByEmployee(rows)].filter(([, { difference }]) => difference !== 0)
    expect(differing.length).toBeGreaterThan(30)
    const carried = new Map(rows.flatMap((row) => (row.carriedForward === null ? [] : [[row.employee, row.carriedForward]])))
    // Only a part of one difference was carried forward.
    expect(differing.filter(([employee, { difference }]) => carried.get(employee) !== difference)).toHaveLength(1)
    for (const [employee] of differing) expect(notes.get(employee)).toMatch(/^The 1 September award has not been paid yet\./)
    expect(rows.filter((row) => row.calculated === 391_167 && row.actual === 377_933).length).toBeGreaterThan(0)
  })
  it('has October open with ten differences, each best explained by another cause', async () => {
    const month = await inTrust((tx) => readMonthToExplain({ ...who, tx }, { year: 2026, month: 10, groupId, useInflation: true }))
    const { reconciliation: found } = month
    const explained = (await explainMonth(month))!
    expect([found.month.state, found.proof.holds]).toEqual([payrollMonthState.open, true])
    const differing = [...sumDifferencesByEmployee(found.rows)]
      .filter(([, { difference }]) => difference !== 0)
      .map(([employee]) => employee)
    const first = explained.filter((one) => differing.includes(one.employee)).map((one): PayCause => one.explanations[0]!.cause)
    expect(first.toSorted()).toEqual(payCauses.map(({ id }) => id).toSorted())
    expect(explained.flatMap((one) => one.findings)).toEqual([])
    // September’s award was paid with October’s pay, so nothing of the amount brought forward is left.
    expect(found.rows.filter((row) => row.calculated === 391_167 && row.actual === 404_401).length).toBeGreaterThan(0)
  })
  it('has November’s file in the documentation, in two layouts', async () => {
    const { long, wide } = await inTrust((tx) => novemberPayroll(tx, who, groupId))
    await expect(long).toMatchFileSnapshot('../../docs/users/files/payroll-2026-11-long.csv')
    await expect(wide).toMatchFileSnapshot('../../docs/users/files/payroll-2026-11-wide.csv')
  })
})
