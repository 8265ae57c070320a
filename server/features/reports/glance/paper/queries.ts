import { findPreviousMonth, formatMonth } from '../../../../../domain/monitoring/monitoring.ts'
import { hasAnyPermission, listViewPermissions } from '../../../../../domain/people/permissions.ts'
import { assessSchool, compareSchoolsByUrgency, explainSchoolState, schoolStateNames } from '../../../../../domain/reports/standing.ts'
import {
  buildExportFileName,
  displayCount,
  displayDateTime,
  displayList,
  toPennies,
  toPounds,
} from '../../../../../domain/values/format.ts'
import { forbidden } from '../../../../../domain/words/errors.ts'
import type { DocumentReader, DocumentSource, RequestedDocument } from '../../../../core/paper/request.ts'
import type { WorkbookRow } from '../../../../core/workbook.ts'
import { readLowestCash } from '../../../../shared/monitoring/cash/queries.ts'
import { readOrganisationName } from '../../../../shared/reports/scopes/queries.ts'
import { readTrustAtAGlance, type ShownYear } from '../queries.ts'

/** The title of the sheet, also in the list of files. */
export const boardSheetTitle = 'Schools at a glance'

/** Columns that are left out for readers who may not see forecasts. */
const forecastColumns = ['In-year balance, forecast £', 'Better (+) or worse (−) than budget £', 'Lowest cash £']

/** The reserve of each year; a figure that could not be calculated is shown as such. */
const reservesOf = (years: readonly ShownYear[]): (number | string)[] => years.map(({ reserve }) => reserve ?? 'not calculated')

/**
 * Builds the sheet for the trust board: each school that the reader may see is a row, worst first, as on the home page.
 * @throws DomainError 403 for a reader who may no longer read reports
 */
export async function buildBoardSheet({ tx, now }: DocumentSource, reader: DocumentReader): Promise<RequestedDocument> {
  const { organisationId, holder } = reader
  if (!hasAnyPermission(holder, ['BudgetingReportsRead'])) throw forbidden()
  const glance = await readTrustAtAGlance(tx, reader, now)
  const maySeeForecast = hasAnyPermission(
    holder,
    listViewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast'),
  )
  const cash = maySeeForecast ? await readLowestCash({ ...reader, tx }, findPreviousMonth(now)) : []
  const organisation = await readOrganisationName(tx, organisationId)
  const schools = glance.rows
    .map((row) => {
      const lowest = cash.find((one) => one.locationId === row.locationId) ?? null
      return { ...row, ...assessSchool({ ...row, lowest }, glance.yearIndex), lowest }
    })
    .sort(compareSchoolsByUrgency)
  const { total, leftOut } = glance
  const missing = [...schools.flatMap(({ years }) => years), ...schools.flatMap(({ outlook }) => outlook ?? [])].some(
    (one) => one.missing > 0,
  )
  const all: WorkbookRow = {
    cells: [
      displayCount(schools.length, 'school'),
      '',
      ...(maySeeForecast
        ? [
            total.outlook?.forecast ?? null,
            total.outlook && toPounds(toPennies(total.outlook.forecast) - toPennies(total.outlook.budget)),
            null,
          ]
        : []),
      ...reservesOf(total.years),
    ],
    weight: 'total',
  }
  return {
    fileName: buildExportFileName(`${boardSheetTitle} ${organisation}`, now).replace(/\.csv$/, ''),
    locationIds: glance.rows.map(({ locationId }) => locationId),
    namesStaff: false,
    paper: {
      title: boardSheetTitle,
      subtitle: `${formatMonth(glance.month)} · the budget of record of each school, worst first`,
      author: reader.name,
      head: organisation,
      foot: [displayCount(schools.length, 'budget'), `As at ${displayDateTime(now)}`].join(' · '),
      blocks: [
        {
          kind: 'table',
          table: {
            columns: [
              { title: 'School', kind: 'text' },
              { title: 'Status', kind: 'text' },
              ...(maySeeForecast ? forecastColumns.map((title) => ({ title, kind: 'money' as const })) : []),
              ...glance.years.map((year) => ({ title: `Reserve ${year} £`, kind: 'money' as const })),
            ],
            rows: [
              ...schools.map(
                (school): WorkbookRow => ({
                  cells: [
                    school.location,
                    `${schoolStateNames[school.state]}. ${explainSchoolState(school)}`,
                    ...(maySeeForecast ? [school.outlook?.forecast ?? 'no actuals', school.variance, school.lowest?.closing ?? null] : []),
                    ...reservesOf(school.years),
                  ],
                }),
              ),
              ...(schools.length > 1 ? [all] : []),
            ],
            hasPence: false,
          },
        },
        {
          kind: 'text',
          text: `Reserves are as budgeted and exclude capital.${maySeeForecast ? ' Lowest cash covers the rest of the year.' : ''}`,
        },
        ...(missing ? [{ kind: 'text' as const, text: 'Some figures could not be calculated and are not in any total.' }] : []),
        ...(leftOut.length
          ? [
              {
                kind: 'text' as const,
                text: `Left out because they have no budget for these years: ${displayList(leftOut.map((one) => one.location))}.`,
              },
            ]
          : []),
      ],
    },
  }
}
