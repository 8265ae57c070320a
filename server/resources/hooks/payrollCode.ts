import { and, sql } from 'drizzle-orm'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { payrollItems, payrollLines } from '../../../drizzle/payrollTables.ts'
import { callerLocationsCondition, callerOrganisationCondition, idArray, visibleWithPermission } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const seen = viewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')

/** A payroll provider's code is in use by every payroll with pay under it, whether imported or entered by hand. */
export const payrollCodeHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: payrollLines,
      where: sql`${payrollLines.payrollCodeId} = any(${idArray(ids)})`,
      key: 'PayrollActual',
      seen: visibleWithPermission(seen, (viewer) =>
        and(
          callerOrganisationCondition(payrollLines.organisationId, viewer),
          callerLocationsCondition(payrollLines.locationId, viewer.rows.locationIds),
        ),
      ),
    },
    {
      table: payrollItems,
      where: sql`${payrollItems.kind} = 'typed' and (${payrollItems.item} ->> 'payrollCodeId')::integer = any(${idArray(ids)})`,
      key: 'PayrollActual',
      seen: visibleWithPermission(seen, (viewer) =>
        and(
          callerOrganisationCondition(payrollItems.organisationId, viewer),
          callerLocationsCondition(sql`(${payrollItems.item} ->> 'locationId')::integer`, viewer.rows.locationIds),
        ),
      ),
    },
  ],
}
