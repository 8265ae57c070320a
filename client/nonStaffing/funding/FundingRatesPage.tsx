import { money, penniesOf } from '../../../domain/format.ts'
import { lookupName } from '../../../domain/lookups.ts'
import { api } from '../../api/api.ts'
import { PageHead } from '../../shell/PageHead.tsx'
import { EffectiveTables } from '../../staffing/tables/EffectiveTables.tsx'
import { useTerm } from '../../state/core.ts'

type Rate = Awaited<ReturnType<typeof api.budgetSummaries.fundingRates.query>>[number]['rows'][number]

/** What the local authority pays by category, from each table's date on; for reading only. */
export function FundingRatesPage() {
  const term = useTerm()('LocalAuthorityFundingRate')
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        facts="What the authority of this location pays, by category, from each table's date on"
      />
      <EffectiveTables<Rate>
        name="funding"
        load={() => api.budgetSummaries.fundingRates.query()}
        columns={[
          { heading: 'Category', cell: (rate) => lookupName('localAuthorityFundingRateCategories', rate.category) },
          { heading: 'Rate', cell: (rate) => money(penniesOf(rate.value)), isFigure: true },
        ]}
        empty="Funding cannot be predicted until the budget names a table that has rates of its local authority."
      />
    </>
  )
}
