import { sql } from 'drizzle-orm'
import { type CodeFacts, type CodeSum, overviewYears } from '../../domain/calculation/balances.ts'
import { pupilsOf } from '../../domain/calculation/pupils.ts'
import { resources } from '../../domain/resources/all.ts'
import type { RecordOf } from '../../domain/resources/resource.ts'
import { altDescriptionsOf } from './altDescriptionStore.ts'
import type { BudgetRow } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import { loadItems } from './itemStore.ts'
import { countedPupils } from './linkedItems.ts'
import { rowsOf } from './tables.ts'

/** A budget code with what sums need to know of it. */
export interface SummedCode {
  record: RecordOf<typeof resources.budgetCode>
  /** What the location calls it, else its description. */
  description: string
  facts: CodeFacts
}

/** The budget codes of an organisation, by id, in the words of a location. */
export async function summedCodes(tx: OrganisationTx, locationId: number): Promise<Map<number, SummedCode>> {
  const words = await altDescriptionsOf(tx, resources.budgetCode, locationId)
  const codes = await rowsOf(tx, resources.budgetCode)
  const reporting = await rowsOf(tx, resources.financialReportingCode, 'id', [...new Set(codes.flatMap((code) => code.cfrCodeId ?? []))])
  const cfr = new Map(reporting.map((row) => [row.id, row.code]))
  return new Map(
    codes.map((record) => [
      record.id,
      {
        record,
        description: words.get(record.id) ?? record.altDescription ?? record.description,
        facts: { isIncome: record.type === 1, category: record.category, cfrCode: cfr.get(record.cfrCodeId ?? -1) ?? null },
      },
    ]),
  )
}

const monthSums = sql.join(
  Array.from({ length: 12 }, (_unused, month) => sql.raw(`coalesce(sum(amounts[${month + 1}]), 0)::float8`)),
  sql`, `,
)

/** One code, kind of source and year added up, in whole pennies. */
export interface LineTotal {
  codeId: number | null
  isStaff: boolean
  year: number
  total: number
  missing: number
  /** The twelve months over what could be calculated. */
  months: number[]
}

/** The lines of a budget added up by code and year, staff apart. */
export async function lineTotals(tx: OrganisationTx, { organisationId, id }: BudgetRow): Promise<LineTotal[]> {
  const rows = await tx.execute<{
    code: number | null
    staff: boolean
    year: number
    total: string
    missing: string
    months: number[]
  }>(sql`
    select budget_code_id as code, source_kind in ('contract', 'levy') as staff, year, sum(total) as total, sum(missing) as missing,
      array[${monthSums}] as months
    from budget_lines where organisation_id = ${organisationId} and budget_id = ${id} group by 1, 2, 3`)
  return [...rows].map(({ code, staff, year, total, missing, months }) => ({
    months,
    codeId: code,
    isStaff: staff,
    year,
    total: Number(total),
    missing: Number(missing),
  }))
}

/** The years of a budget at a glance, with pupils on roll in each. */
export async function overviewOf(tx: OrganisationTx, budget: BudgetRow) {
  const codes = await summedCodes(tx, budget.locationId)
  const sums = (await lineTotals(tx, budget)).map(
    ({ codeId, ...sum }): CodeSum => ({ ...sum, code: codeId === null ? null : (codes.get(codeId)?.facts ?? null) }),
  )
  const openings = new Map<number, number>()
  for (const { item } of await loadItems(tx, budget.organisationId, budget.id, 'balance'))
    openings.set(item.type, (openings.get(item.type) ?? 0) + item.value)
  const pupils = pupilsOf(await countedPupils(tx, budget.organisationId, budget.head), null).slice(1)
  return { years: overviewYears(sums, openings, budget.head.numberOfYears), pupils, hasOpening: openings.size > 0 }
}
