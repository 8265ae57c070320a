import { resources } from '../../domain/resources/all.ts'
import type { RecordPart } from '../resources/extras.ts'
import { InlineList } from '../resources/inline/InlineList.tsx'
import textStyles from '../ui/labels/text.module.css'

/** Employer pension rates of a set of staff assumptions, by contract type and date. */
export function PensionRates({ record, mayEdit }: RecordPart) {
  return (
    <InlineList
      resource={resources.staffErPensionRate}
      fixed={{ staffAssumptionsId: record.id }}
      columns={['contractTypeId', 'effectiveDate', 'rate']}
      mayEdit={mayEdit}
      empty={<p>No rates yet. Without one for a contract type its pension cannot be calculated.</p>}
    />
  )
}

/** Pay awards of a set of staff assumptions, by contract type and date. */
export function PayAwards({ record, mayEdit }: RecordPart) {
  return (
    <InlineList
      resource={resources.staffInflationRate}
      fixed={{ staffAssumptionsId: record.id }}
      columns={['contractTypeId', 'effectiveDate', 'rate']}
      mayEdit={mayEdit}
      empty={<p>No awards yet. Pay then follows the pay tables alone.</p>}
    />
  )
}

/** Five years of inflation rates for each budget code in a set. */
export function InflationRates({ record, mayEdit }: RecordPart) {
  return (
    <>
      <p className={textStyles.dim} style={{ margin: '0 0 10px' }}>
        One rate for each of five years. The first year of a budget is typed, so rate 1 raises nothing; rate 2 raises its second year, and
        so on.
      </p>
      <InlineList
        resource={resources.inflationRate}
        fixed={{ inflationId: record.id }}
        columns={['budgetCodeId', 'rates']}
        mayEdit={mayEdit}
        empty={<p>No rates yet. Add a row for each budget code whose prices rise.</p>}
      />
    </>
  )
}

/** The bands of a leave rule: what is paid from which week to which. */
export function LeaveRules({ record, mayEdit }: RecordPart) {
  return (
    <InlineList
      resource={resources.extendedLeaveRule}
      fixed={{ extendedLeaveRulesetId: record.id }}
      columns={Object.keys(resources.extendedLeaveRule.fields).filter((name) => name !== 'extendedLeaveRulesetId')}
      mayEdit={mayEdit}
      empty={<p>No rules yet. Add a row for each stretch of weeks that is paid in its own way.</p>}
    />
  )
}
