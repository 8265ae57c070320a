import { asc, eq } from 'drizzle-orm'
import { dateInName, fundingYearInName } from '../../domain/budget/tableDates.ts'
import { resources } from '../../domain/resources/all.ts'
import { organisations } from '../../drizzle/schema.ts'
import { startMonthOf } from '../commands/budgets.ts'
import type { OrganisationTx } from '../store/database.ts'
import { get as getRecord } from '../store/resourceQueries.ts'
import { tableFor } from '../store/tables.ts'

/** The kind of an organisation, by which the start of its year is known. */
export async function organisationTypeOf(tx: OrganisationTx, organisationId: number): Promise<number> {
  const [row] = (await tx.select().from(organisations).where(eq(organisations.id!, organisationId))) as { organisationType: number }[]
  return row!.organisationType
}

/** What a new budget starts from: the newest tables by their names, the first assumptions, all contract types of the locations. */
export async function template(tx: OrganisationTx, organisationId: number, locationIds: number[], now: Date) {
  const all = async (name: 'adminTable' | 'staffAssumptions' | 'contractType' | 'inflation' | 'topSliceTable' | 'gagPoolTable') => {
    const { table, columns } = tableFor(resources[name])
    return (await tx.select().from(table).orderBy(asc(columns.id!))) as unknown as {
      id: number
      name: string
      type: number
      active: boolean
      locations: number[]
      effectiveDate: string
    }[]
  }
  const [tables, assumptions, types] = [await all('adminTable'), await all('staffAssumptions'), await all('contractType')]
  const year =
    now.getUTCMonth() + 1 >= startMonthOf(await organisationTypeOf(tx, organisationId)) ? now.getUTCFullYear() : now.getUTCFullYear() - 1
  const inflations = await all('inflation')
  /** Own tables say their date themselves. */
  const own = async (name: 'topSliceTable' | 'gagPoolTable') =>
    (await all(name)).filter((table) => table.active).map(({ effectiveDate, id }) => ({ effectiveDate, adminTableId: id }))
  const dated = (type: number) =>
    tables
      .filter((table) => table.type === type && table.active)
      .flatMap((table) => (dateInName(table.name) ? [{ effectiveDate: dateInName(table.name)!, adminTableId: table.id }] : []))
  const startMonth = startMonthOf(await organisationTypeOf(tx, organisationId))
  const funding = tables
    .filter((table) => table.type === 5 && table.active)
    .flatMap((table) => {
      const effectiveDate = fundingYearInName(table.name, startMonth)
      return effectiveDate ? [{ effectiveDate, adminTableId: table.id }] : []
    })
  const maxima = await Promise.all(
    locationIds.map(
      async (id) =>
        (await getRecord(tx, resources.location, { organisationId, locationIds: null, isAdministrator: false }, id))
          .maximumBudgetYears as number,
    ),
  )
  return {
    id: null,
    budgetId: null,
    name: `${year}/${String((year + 1) % 100).padStart(2, '0')} Working`,
    locationIds,
    firstYear: year,
    numberOfYears: maxima.length ? Math.min(...maxima) : 3,
    staffAssumptionsId: assumptions[0]?.id ?? null,
    inflationId: inflations[0]?.id ?? null,
    contractTypeIds: types
      .filter((type) => !type.locations.length || locationIds.every((id) => type.locations.includes(id)))
      .map((type) => type.id),
    teacherPayScales: dated(1),
    supportPayScales: dated(2),
    customTeacherPayScales: [],
    customSupportPayScales: [],
    nationalInsurance: dated(3),
    extendedLeaveRates: dated(4),
    localAuthorityFundingRates: funding,
    topSliceTables: await own('topSliceTable'),
    gagPoolTables: await own('gagPoolTable'),
    version: null,
  }
}
