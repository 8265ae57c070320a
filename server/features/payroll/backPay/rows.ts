import type { BackPay } from '../../../../domain/payroll/backPay.ts'
import type { BackPayLine } from '../../../../domain/payroll/ledger.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { LocationId, StaffId } from '../../../../domain/values/ids.ts'
import type { InPounds, Pounds } from '../../../../domain/values/units.ts'
import { presentPerson } from '../rows.ts'
import type { BackPayLedger } from './queries.ts'

/** A line of the ledger as the API shows it, in pounds. */
export interface BackPayRow {
  locationId: LocationId
  staffId: StaffId | null
  employeeNumber: string
  name: string | null
  component: BackPayLine['component']
  open: Pounds
  codes: InPounds<BackPayLine['codes']>
  months: InPounds<BackPay>[]
}

/** A ledger in pounds. Lines that have since been settled stay as long as the ledger shows their months. */
export function presentLedger({ lines, people, numbers, months, notCalculated }: BackPayLedger, locationIds: readonly LocationId[] | null) {
  return {
    months,
    notCalculated,
    lines: lines.map(
      ({ locationId, employee, component, open, codes, entries }): BackPayRow => ({
        locationId,
        ...presentPerson(people, employee, { numbers, locationIds }),
        component,
        open: toPounds(open),
        codes: codes.map((one) => ({ ...one, open: toPounds(one.open) })),
        months: entries.map((entry) => ({
          ...entry,
          difference: toPounds(entry.difference),
          open: toPounds(entry.open),
          settled: entry.settled.map((part) => ({ ...part, amount: toPounds(part.amount) })),
        })),
      }),
    ),
  }
}
