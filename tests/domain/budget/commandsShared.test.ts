import { describe, it } from 'vitest'
import { recordTransfers, withdrawLevyShares } from '../../../domain/budget/decideShared.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import type { Transfer } from '../../../domain/calculation/nonStaffing/transfers.ts'
import { type Budget, created, given } from '../../support/stories/budgetStory.ts'

describe('what a budget has of its group', () => {
  const transfer: Transfer = {
    kind: 'topSlice',
    tableId: 1,
    year: 0,
    budgetCodeId: 49,
    counterpartId: null,
    part: 'charge',
    amounts: Array<number>(12).fill(-2_500),
  }
  const posted = (transfers: Transfer[], engine?: string): BudgetEvent => ({
    type: 'TransfersPosted',
    data: { transfers, problems: [], ...(engine && { engine }) },
  })
  const record =
    (...transfers: Transfer[]) =>
    ({ state }: Budget): BudgetEvent[] =>
      recordTransfers(state.transfers, { transfers, problems: [] })

  it('is recorded of pools and top slices where it is other than what stands', () => {
    given(created())
      .when(record(transfer))
      .gives(posted([transfer], engineVersion))
    given(created()).when(record()).changesNothing()
    given(created(), posted([transfer], engineVersion))
      .when(record(transfer))
      .changesNothing()
    given(created(), posted([transfer], engineVersion))
      .when(record())
      .gives(posted([], engineVersion))
  })
  it('is recorded anew where other rules worked it out', () => {
    given(created(), posted([transfer]))
      .when(record(transfer))
      .gives(posted([transfer], engineVersion))
  })
  it('of the levy allowance is taken back, month by month, where it has any', () => {
    const shared = (...shares: (number | string | null)[]): BudgetEvent => ({ type: 'LevyAllowanceShared', data: { shares } })
    const withdraw = ({ state }: Budget): BudgetEvent[] => withdrawLevyShares(state.levyShares)
    given(created(), shared(12_500, '2500000/7', null))
      .when(withdraw)
      .gives(shared(null, null, null))
    given(created(), shared(null, null)).when(withdraw).changesNothing()
    given(created()).when(withdraw).changesNothing()
  })
})
