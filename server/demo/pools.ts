import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../domain/values/ids.ts'
import type { IdsByName, RecordAdder } from './trustRecords.ts'

/** Price rises of what schools buy, in per cent, year by year. */
const priceRises: [string, number[]][] = [
  ['4240', [4, 3, 2.5, 2.5, 2.5]],
  ['4250', [1.7, 2, 2, 2, 2]],
  ['4300', [2.5, 2.2, 2, 2, 2]],
  ['4360', [3.5, 3, 2.5, 2, 2]],
  ['4370', [3, 2.5, 2.5, 2.5, 2.5]],
]

export async function addPools(
  add: RecordAdder,
  {
    organisationId,
    names,
    schools,
  }: { organisationId: OrganisationId; names: IdsByName; schools: readonly { id: number; isCentral: boolean }[] },
): Promise<{ topSliceTableId: number; inflationId: number }> {
  const code = (wanted: string): number => assertDefined(names.get(`budgetCode ${wanted}`))
  const slices = await add('topSliceTable', { name: 'Top slice 2026/27', effectiveDate: '2026-09-01' }, organisationId)
  const pool = await add(
    'gagPoolTable',
    { name: 'GAG pool 2027/28', effectiveDate: '2027-09-01', method: 1, percentage: 4, share: 1, active: false },
    organisationId,
  )
  const paying = schools.filter((school) => !school.isCentral)
  for (const { id } of paying) {
    const slice = { topSliceTableId: slices.id, locationId: id, method: 1, value: 5 }
    await add('topSlice', { ...slice, budgetCodeId: code('4400'), centralBudgetCodeId: code('1200') }, organisationId)
    await add('gagPool', { gagPoolTableId: pool.id, locationId: id, budgetCodeId: code('1000') }, organisationId)
    const allowance = Math.floor(1_500_000 / paying.length) / 100
    await add('apprenticeshipLevy', { locationId: id, effectiveDate: '2026-04-06', allowance }, organisationId)
  }
  const set = { name: 'Central case', description: 'Price rises in line with most forecasts' }
  const inflation = await add('inflation', set, organisationId)
  for (const [wanted, rates] of priceRises)
    await add('inflationRate', { inflationId: inflation.id, budgetCodeId: code(wanted), rates }, organisationId)
  return { topSliceTableId: slices.id, inflationId: inflation.id }
}
