import { and, eq } from 'drizzle-orm'
import { eachYear } from '../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { budgetPay } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { Replayed } from '../replay/replayLog.ts'
import type { Finding } from '../verify/verify.ts'
import { isSame } from './same.ts'

/** Whether the sums of pay that the levy is worked out from are those of the lines that the costs are posted to. */
export async function comparePay(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  costs: Replayed['costs'],
): Promise<Finding[]> {
  const expected = new Map<number, { amounts: number[]; missing: number[] }>()
  for (const { lines } of costs.values())
    for (const { component, year, amounts } of eachYear(lines)) {
      if (component !== 'pay') continue
      const sum = expected.get(year) ?? { amounts: Array<number>(12).fill(0), missing: Array<number>(12).fill(0) }
      for (const [month, amount] of amounts.entries())
        if (amount === null) sum.missing[month] = assertDefined(sum.missing[month]) + 1
        else sum.amounts[month] = assertDefined(sum.amounts[month]) + amount
      expected.set(year, sum)
    }
  const kept = await tx
    .select()
    .from(budgetPay)
    .where(and(eq(budgetPay.organisationId, organisationId), eq(budgetPay.budgetId, budgetId)))
  const nothing = { amounts: Array<number>(12).fill(0), missing: Array<number>(12).fill(0) }
  const years = new Set([...expected.keys(), ...kept.map((row) => row.year)])
  return [...years].flatMap((year) => {
    const { amounts, missing } = kept.find((row) => row.year === year) ?? nothing
    if (isSame({ amounts, missing }, expected.get(year) ?? nothing)) return []
    return [{ budgetId, version: null, problem: `The sums of pay in year ${year + 1} in the table are not those of its contracts.` }]
  })
}
