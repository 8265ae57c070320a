import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { displayMoney, toPennies } from '../../../domain/values/format.ts'
import { EffectiveTables } from '../../budget/EffectiveTables.tsx'
import { type api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { PageHead } from '../../ui/layout/PageHead.tsx'

type Rate = Awaited<ReturnType<typeof api.budgetSummaries.fundingRates.query>>[number]['rows'][number]

/** What the local authority pays by category, for each dated table. Read-only. */
export function FundingRatesPage() {
  const term = useTerm()('LocalAuthorityFundingRate')
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        facts="The local authority’s rates for this location, by category, from the date of each table"
      />
      <EffectiveTables<Rate>
        tables={trpc.budgetSummaries.fundingRates}
        kind="funding rate"
        columns={[
          { heading: 'Category', cell: (rate) => getLookupName('localAuthorityFundingRateCategories', rate.category) },
          { heading: 'Rate', cell: (rate) => displayMoney(toPennies(rate.value)), isFigure: true },
        ]}
        empty="Funding cannot be predicted until the budget has a table of its local authority’s rates."
      />
    </>
  )
}
