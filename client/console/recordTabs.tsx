import { resources } from '../../domain/resources/all.ts'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { InlineList } from '../resources/inline/InlineList.tsx'
import textStyles from '../ui/labels/text.module.css'

/** Employer pension rates of a set of staff assumptions, by contract type and date. */
export function PensionRatesTab({ record, mayEdit }: RecordPartProps) {
  return (
    <InlineList
      resource={resources.staffErPensionRate}
      fixed={{ staffAssumptionsId: record.id }}
      columns={['contractTypeId', 'effectiveDate', 'rate']}
      mayEdit={mayEdit}
      empty={<p>No rates yet. Each contract type needs one before its pension can be calculated.</p>}
    />
  )
}

/** Pay awards of a set of staff assumptions, by contract type and date. */
export function PayAwardsTab({ record, mayEdit }: RecordPartProps) {
  return (
    <InlineList
      resource={resources.staffInflationRate}
      fixed={{ staffAssumptionsId: record.id }}
      columns={['contractTypeId', 'effectiveDate', 'rate']}
      mayEdit={mayEdit}
      empty={<p>No awards yet. Pay follows the pay tables only.</p>}
    />
  )
}

/** Five years of inflation rates for each budget code in a set. */
export function InflationRatesTab({ record, mayEdit }: RecordPartProps) {
  return (
    <>
      <p className={textStyles.dim} style={{ margin: '0 0 10px' }}>
        One rate for each of five years. The amounts of the first year are entered, so rate 1 has no effect; rate 2 increases the second
        year, and so on.
      </p>
      <InlineList
        resource={resources.inflationRate}
        fixed={{ inflationId: record.id }}
        columns={['budgetCodeId', 'rates']}
        mayEdit={mayEdit}
        empty={<p>No rates yet. Add a row for each budget code whose prices increase.</p>}
      />
    </>
  )
}

/** The bands of a leave rule. Each band sets the pay from one week to another. */
export function LeaveRulesTab({ record, mayEdit }: RecordPartProps) {
  return (
    <InlineList
      resource={resources.extendedLeaveRule}
      fixed={{ extendedLeaveRulesetId: record.id }}
      columns={Object.keys(resources.extendedLeaveRule.fields).filter((name) => name !== 'extendedLeaveRulesetId')}
      mayEdit={mayEdit}
      empty={<p>No rules yet. Add a row for each period of weeks that is paid differently.</p>}
    />
  )
}
