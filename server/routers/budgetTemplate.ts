import { asc, eq } from 'drizzle-orm'
import { elementNames } from '../../domain/budget/budget.ts'
import { dateInName } from '../../domain/budget/tableDates.ts'
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
  const all = async (name: 'adminTable' | 'staffAssumptions' | 'contractType') => {
    const { table, columns } = tableFor(resources[name])
    return (await tx.select().from(table).orderBy(asc(columns.id!))) as unknown as {
      id: number
      name: string
      type: number
      active: boolean
      locations: number[]
    }[]
  }
  const [tables, assumptions, types] = [await all('adminTable'), await all('staffAssumptions'), await all('contractType')]
  const year =
    now.getUTCMonth() + 1 >= startMonthOf(await organisationTypeOf(tx, organisationId)) ? now.getUTCFullYear() : now.getUTCFullYear() - 1
  const dated = (type: number) =>
    tables
      .filter((table) => table.type === type && table.active)
      .flatMap((table) => (dateInName(table.name) ? [{ effectiveDate: dateInName(table.name)!, adminTableId: table.id }] : []))
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
    inflationId: null,
    contractTypeIds: types
      .filter((type) => !type.locations.length || locationIds.every((id) => type.locations.includes(id)))
      .map((type) => type.id),
    ...Object.fromEntries(
      elementNames.map((kind) => [
        kind,
        kind.startsWith('custom')
          ? []
          : dated(kind === 'teacherPayScales' ? 1 : kind === 'supportPayScales' ? 2 : kind === 'nationalInsurance' ? 3 : 4),
      ]),
    ),
    localAuthorityFundingRates: [],
    topSliceTables: [],
    gagPoolTables: [],
    version: null,
  }
}
