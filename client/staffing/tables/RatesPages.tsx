import { displayFigure, toPennies } from '../../../domain/values/format.ts'
import { EffectiveTables } from '../../budget/EffectiveTables.tsx'
import { type api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { PageHead } from '../../ui/layout/PageHead.tsx'

type Band = Awaited<ReturnType<typeof api.budgetSummaries.nationalInsurance.query>>[number]['rows'][number]
type LeaveType = Awaited<ReturnType<typeof api.budgetSummaries.extendedLeave.query>>[number]['rows'][number]

const money = (pounds: number | null): string => (pounds === null ? '' : displayFigure(toPennies(pounds)))

/** The weekly statutory rates for extended leave, by table. */
export function LeaveRatesPage() {
  const term = useTerm()('ExtendedLeaveType')
  return (
    <>
      <PageHead title={term.plural} documentTitle={`${term.plural} - Staffing`} facts="Weekly statutory pay, from the date of each table" />
      <EffectiveTables<LeaveType>
        tables={trpc.budgetSummaries.extendedLeave}
        kind="extended leave"
        columns={[
          { heading: 'Type of leave', cell: (type) => type.name },
          { heading: 'Per week', cell: (type) => money(type.rate), isFigure: true },
        ]}
        empty="Leave with a statutory rate cannot be calculated until the budget has one."
      />
    </>
  )
}

function describeAges({ minAge, maxAge }: Band): string {
  if (maxAge === null) return minAge > 0 ? `${minAge} and over` : 'any'
  return minAge > 0 ? `${minAge} to under ${maxAge}` : `under ${maxAge}`
}

/** The budget's tables of employer National Insurance. */
export function NationalInsurancePage() {
  const term = useTerm()('NationalInsurance')
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        facts="Employer rates on annual earnings, from the date of each table. A month’s limits are one twelfth, to the nearest pound, and cover all of a person’s contracts in the budget."
      />
      <EffectiveTables<Band>
        tables={trpc.budgetSummaries.nationalInsurance}
        kind="national insurance"
        columns={[
          { heading: 'Row', cell: (band) => band.name },
          { heading: 'Age', cell: describeAges },
          { heading: 'Apprentice', cell: (band) => (band.apprentice ? 'Yes' : 'No') },
          { heading: 'In the pension', cell: (band) => (band.pension === null ? 'either' : band.pension ? 'Yes' : 'No') },
          { heading: 'From', cell: (band) => money(band.bandStart), isFigure: true },
          { heading: 'Below', cell: (band) => (band.bandEnd === null ? 'no limit' : money(band.bandEnd)), isFigure: true },
          { heading: 'Rate', cell: (band) => `${band.rate}%`, isFigure: true },
          { heading: 'Rebate', cell: (band) => (band.rebate ? `${band.rebate}%` : ''), isFigure: true },
          { heading: 'Fixed amount', cell: (band) => (band.base ? money(band.base) : ''), isFigure: true },
        ]}
        empty="National insurance cannot be calculated until the budget has one."
      />
    </>
  )
}
