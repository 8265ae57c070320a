import { and, eq } from 'drizzle-orm'
import { splitByYear } from '../../../domain/calculation/staffing/posting.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { budgetPay } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { ReplayedBudget } from '../replay/replayLog.ts'
import type { AuditFinding } from '../verify/verify.ts'
import { hasSameContent } from './same.ts'

export async function compareBudgetPay(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  costs: ReplayedBudget['costs'],
): Promise<AuditFinding[]> {
  const expected = new Map<number, { amounts: number[]; missing: number[] }>()
  for (const { lines } of costs.values())
    for (const { component, year, amounts } of splitByYear(lines)) {
      if (component !== 'pay') continue
      const sum = expected.get(year) ?? { amounts: Array<number>(12).fill(0), missing: Array<number>(12).fill(0) }
      for (const [month, amount] of amounts.entries())
        if (amount === null) sum.missing[month] = assertDefined(sum.missing[month]) + 1
        else sum.amounts[month] = assertDefined(sum.amounts[month]) + amount
      expected.set(year, sum)
    }
  const stored = await tx
    .select()
    .from(budgetPay)
    .where(and(eq(budgetPay.organisationId, organisationId), eq(budgetPay.budgetId, budgetId)))
  const zeroPay = { amounts: Array<number>(12).fill(0), missing: Array<number>(12).fill(0) }
  const years = new Set([...expected.keys(), ...stored.map((row) => row.year)])
  return [...years].flatMap((year) => {
    const { amounts, missing } = stored.find((row) => row.year === year) ?? zeroPay
    if (hasSameContent({ amounts, missing }, expected.get(year) ?? zeroPay)) return []
    return [{ budgetId, version: null, problem: `The pay totals of year ${year + 1} in the table do not match its contracts.` }]
  })
}
