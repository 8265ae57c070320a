import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { formatIsoMonth } from '../../../../domain/monitoring/monitoring.ts'
import { type PayrollItem, toStaffRef } from '../../../../domain/payroll/payroll.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { LocationId, OrganisationId, StaffId } from '../../../../domain/values/ids.ts'
import type { Pennies, Pounds } from '../../../../domain/values/units.ts'
import { payrollItems, payrollLines } from '../../../../drizzle/payrollTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readNoteKeys, readPayrollPeople } from '../people/queries.ts'
import { unsealNote } from '../queries.ts'

/** Payroll data about one person, with names for codes and amounts in pounds. */
export interface PayrollOfPerson {
  payroll: { month: string; location: string; code: string; description: string; pounds: Pounds; source: 'imported' | 'typed' }[]
  payrollNotes: { month: string; text: string }[]
}

/** The numbers and locations by which payrolls identify a person. */
export interface PayrollIdentities {
  /**
   * Whether an employee number in a file is this person's. If the numbers of two people differ only in leading zeros, only the exact number
   * matches.
   */
  isTheirs: (employeeNumber: string) => boolean
  /** The locations at which they were paid. */
  locationIds: LocationId[]
}

/** Reads the numbers and locations by which payrolls identify a person. */
export async function readPayrollIdentities(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  staffId: StaffId,
): Promise<PayrollIdentities> {
  const people = await readPayrollPeople(tx, organisationId)
  const reference = toStaffRef(staffId)
  const paid = await tx
    .selectDistinct({ locationId: payrollLines.locationId })
    .from(payrollLines)
    .where(and(eq(payrollLines.organisationId, organisationId), inArray(payrollLines.employee, people.refsOf(reference))))
  const isTheirs = (employeeNumber: string): boolean => {
    const found = people.find(employeeNumber)
    return found !== 'many' && found.employee === reference
  }
  return { isTheirs, locationIds: paid.map(({ locationId }) => locationId) }
}

/** What payrolls paid a person, the amounts that users entered for the person, and notes. */
export async function readPayrollOfPerson(
  { tx, organisationId }: Call<'organisationId'>,
  staffId: StaffId,
  locationNames: ReadonlyMap<LocationId, string>,
): Promise<PayrollOfPerson> {
  const people = await readPayrollPeople(tx, organisationId)
  const refs = people.refsOf(toStaffRef(staffId))
  const lines = await tx
    .select()
    .from(payrollLines)
    .where(and(eq(payrollLines.organisationId, organisationId), inArray(payrollLines.employee, refs)))
    .orderBy(asc(payrollLines.year), asc(payrollLines.month), asc(payrollLines.locationId), asc(payrollLines.payrollCodeId))
  const ofPerson = sql`${payrollItems.item} ->> 'employee' = any(${sql.param(refs)}::text[])`
  const items = await tx
    .select({ item: payrollItems.item })
    .from(payrollItems)
    .where(
      and(
        eq(payrollItems.organisationId, organisationId),
        or(eq(payrollItems.kind, 'typed'), eq(payrollItems.kind, 'note'), eq(payrollItems.kind, 'carry')),
        ofPerson,
      ),
    )
    .orderBy(payrollItems.key)
  const codes = new Map(
    (await readResourceRecords(tx, resources.payrollCode, { column: 'organisationId', ids: [organisationId] })).map((one) => [one.id, one]),
  )
  const line = (
    { year, month, locationId, payrollCodeId }: { year: number; month: number; locationId: LocationId; payrollCodeId: number },
    pennies: Pennies,
    source: 'imported' | 'typed',
  ): PayrollOfPerson['payroll'][number] => ({
    month: formatIsoMonth({ year, month }),
    location: locationNames.get(locationId) ?? `Location ${locationId}`,
    code: codes.get(payrollCodeId)?.code ?? String(payrollCodeId),
    description: codes.get(payrollCodeId)?.description ?? '',
    pounds: toPounds(pennies),
    source,
  })
  const keys = await readNoteKeys(tx, people, refs)
  const notes = items.flatMap(({ item }) => (item.kind === 'note' ? [item] : []))
  const typed = items.flatMap(({ item }) => (isTyped(item) ? [line(item, item.value, 'typed')] : []))
  return {
    payroll: [...lines.map((row) => line(row, row.value, 'imported')), ...typed].sort((a, b) => a.month.localeCompare(b.month)),
    payrollNotes: notes.map((note) => ({ month: formatIsoMonth(note), text: unsealNote(keys(note.employee), note.sealedNotes) })),
  }
}

const isTyped = (item: PayrollItem) => item.kind === 'typed'
