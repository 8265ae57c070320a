import { describe, it } from 'vitest'
import { postTransfers, withdrawLevyShares } from '../../../domain/budget/decideShared.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import type { Transfer } from '../../../domain/calculation/nonStaffing/transfers.ts'
import { type Budget, created, given } from '../../support/stories/budgetStory.ts'

describe('a budget’s share of its group’s money', () => {
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
      postTransfers(state.transfers, { transfers, problems: [] })

  it('is recorded for pools and top slices if it differs from the present one', () => {
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
  it('is recorded again if it was calculated by other rules', () => {
    given(created(), posted([transfer]))
      .when(record(transfer))
      .gives(posted([transfer], engineVersion))
  })
  it('of the levy allowance is withdrawn, month by month, if it has any', () => {
    const shared = (...shares: (number | string | null)[]): BudgetEvent => ({ type: 'LevyAllowanceShared', data: { shares } })
    const withdraw = ({ state }: Budget): BudgetEvent[] => withdrawLevyShares(state.levyShares)
    given(created(), shared(12_500, '2500000/7', null))
      .when(withdraw)
      .gives(shared(null, null, null))
    given(created(), shared(null, null)).when(withdraw).changesNothing()
    given(created()).when(withdraw).changesNothing()
  })
})
