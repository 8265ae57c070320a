import { payrollMonthState } from '../../../../domain/lookups/lookupIds.ts'
import { summariseEmployeePay } from '../../../../domain/payroll/employees.ts'
import type { LevelMonth } from '../../../../domain/payroll/payroll.ts'
import { type ReconciledRow, sumReconciledRows } from '../../../../domain/payroll/reconcile.ts'
import { buildPayrollReport, type PayrollReport } from '../../../../domain/payroll/report.ts'
import { canSeePayroll } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { buildExportFileName, toPounds } from '../../../../domain/values/format.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import type { DocumentBlock } from '../../../core/paper/document.ts'
import type { DocumentReader, DocumentSource, RequestedDocument } from '../../../core/paper/request.ts'
import type { PayrollEditor } from '../../../shared/payroll/commands.ts'
import { listVisibleLocations, readReconciliation } from '../../../shared/payroll/queries.ts'
import { selectGroups } from '../../../streams/budget/groupMembers.ts'
import { readMonthState } from '../history.ts'
import { presentPerson } from '../rows.ts'

/**
 * Builds a month's report for the head to sign, limited to what the reader may see when it is printed.
 * @throws DomainError 403 for a reader who may no longer see payrolls
 */
export async function buildPayrollDocument(
  { tx, store, now }: DocumentSource,
  reader: DocumentReader,
  month: LevelMonth,
): Promise<RequestedDocument> {
  const { organisationId, holder, userId } = reader
  if (!canSeePayroll(holder, month.groupId ? 'part' : 'whole')) throw forbidden()
  const caller = { organisationId, holder, actor: { userId, requestId: 'paper', now } }
  const { report, locationIds } = await readPayrollReport({ ...caller, tx, store, now }, month)
  const locations = await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })
  const [only] = locationIds.length === 1 ? locations.filter(({ id }) => id === locationIds[0]) : []
  const [what = '', when = ''] = report.about
  return {
    fileName: buildExportFileName(report.title, now).replace(/\.csv$/, ''),
    locationIds,
    namesStaff: true,
    paper: {
      title: report.title,
      subtitle: what.split(' · ').slice(1).join(' · '),
      author: reader.name,
      head: [
        assertDefined(when.split(' · ')[0]),
        ...(only ? [only.name, ...(only.dfeNumber ? [`DfE number ${only.dfeNumber}`] : [])] : []),
      ].join(' · '),
      foot: when,
      blocks: [
        { kind: 'facts', facts: report.facts },
        ...report.tables.flatMap(({ title, columns, rows }): DocumentBlock[] => [
          { kind: 'heading', text: title },
          {
            kind: 'table',
            table: {
              columns,
              hasPence: true,
              rows: rows.map(({ cells, weight }) => ({
                cells: cells.map((cell) => (typeof cell === 'number' ? toPounds(cell) : cell)),
                ...(weight && { weight }),
              })),
            },
          },
        ]),
        {
          kind: 'signatures',
          roles: [
            { role: 'Prepared by', name: reader.name },
            { role: 'Headteacher', name: only?.headTeacher || null },
          ],
        },
      ],
    },
  }
}

/**
 * The report of a month for signing, with the same figures as its screen and limited to what the caller may see.
 * @returns the report, and the locations that it covers
 */
export async function readPayrollReport(
  call: Call<'store' | 'now'> & PayrollEditor,
  month: LevelMonth,
): Promise<{ report: PayrollReport; locationIds: LocationId[] }> {
  const { tx, now, organisationId, holder } = call
  const found = await readReconciliation(call, { ...month, useInflation: true })
  const { completed, reopened } = await readMonthState(call, month)
  const organisation = requireSingleRow(await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] }))
  const group = (await selectGroups(tx, organisationId)).find(({ id }) => id === month.groupId)
  const locationNames = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const rowsByEmployee = new Map<string, ReconciledRow[]>()
  for (const row of found.rows) {
    const key = `${row.locationId} ${row.employee}`
    rowsByEmployee.set(key, [...(rowsByEmployee.get(key) ?? []), row])
  }
  const report = buildPayrollReport({
    organisation: organisation.name,
    level: group?.name ?? 'Whole organisation',
    month,
    isComplete: found.month.state === payrollMonthState.complete,
    completed,
    reopened,
    totals: sumReconciledRows(found.rows),
    rows: found.rows,
    proof: found.rows.length === found.allRows.length ? found.proof : null,
    employees: [...rowsByEmployee.values()].map((rows) => {
      const { employee, locationId } = assertDefined(rows[0])
      const { employeeNumber, name } = presentPerson(found.people, employee, { numbers: found.numbers, locationIds: holder.locationIds })
      return {
        ...summariseEmployeePay(rows, found.tolerance),
        location: locationNames.get(locationId) ?? '',
        employeeNumber,
        name,
        note: found.notes.get(employee) ?? null,
      }
    }),
    at: now.toISOString(),
  })
  return { report, locationIds: listVisibleLocations(found.level, call) }
}
