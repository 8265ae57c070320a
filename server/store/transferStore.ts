import { and, eq, inArray, sql } from 'drizzle-orm'
import type { ElementKind } from '../../domain/budget/budget.ts'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { fundedPupils } from '../../domain/calculation/pupils.ts'
import { type PoolRule, pool, type SliceRule, slices, type Transfer, type TransferParty } from '../../domain/calculation/transfers.ts'
import { dayOf, effective, firstOf } from '../../domain/calendar.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgets } from '../../drizzle/schema.ts'
import { type BudgetRow, commit, loadBudget } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { countedPupils } from './linkedItems.ts'
import { rowsOf } from './tables.ts'

/** One budget of a group in one of its years. */
interface Party extends TransferParty {
  budget: BudgetRow
}

type Posted = Map<string, { transfers: Transfer[]; problems: Set<string> }>

/**
 * Works out the pools and top slices of a group and posts both sides (calculation.md §14). Budgets are matched by the month their years
 * begin in; of two budgets of one location the first of the group takes part. While a locked budget has its side posted, all sides stay as
 * they are, so that they go on cancelling.
 */
export async function shareTransfers(
  tx: OrganisationTx,
  organisationId: number,
  budgetIds: readonly string[],
  actor: Actor,
): Promise<void> {
  if (!budgetIds.length) return
  const found = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...budgetIds])))
  const rows = budgetIds.flatMap((id) => found.find((row) => row.id === id) ?? [])
  if (rows.some((row) => row.head.locked && row.transfers?.transfers.length)) return
  const open = rows.filter((row) => !row.head.locked)
  const posted: Posted = new Map(open.map((row) => [row.id, { transfers: [], problems: new Set() }]))
  for (const parties of cohorts(await partiesOf(tx, organisationId, open))) {
    await postPools(tx, parties, posted)
    await postSlices(tx, organisationId, parties, posted)
  }
  for (const [id, { transfers, problems }] of posted) {
    const row = await loadBudget(tx, organisationId, id, true)
    const data = { transfers, problems: [...problems] }
    const before = row.transfers ?? { transfers: [], problems: [] }
    if (canonicalJson(before) !== canonicalJson(data)) await commit(tx, row, [{ type: 'TransfersPosted', data }], actor)
  }
}

/** Every year of every budget, with its income by code and its pupils. */
async function partiesOf(tx: OrganisationTx, organisationId: number, rows: readonly BudgetRow[]): Promise<Party[]> {
  if (!rows.length) return []
  const months = Array.from({ length: 12 }, (_unused, month) => {
    const amount = sql.raw(`amounts[${month + 1}]`)
    return sql`case when count(*) = count(${amount}) then sum(${amount})::float8 end`
  })
  const sums = await tx.execute<{ budget_id: string; year: number; code: number; months: Figure[] }>(sql`
    select budget_id, year, budget_code_id as code, array[${sql.join(months, sql`, `)}] as months from budget_lines
    where organisation_id = ${organisationId} and source_kind = 'entry' and budget_code_id in (select id from budget_codes where type = 1)
      and budget_id in (${sql.join(
        rows.map((row) => sql`${row.id}`),
        sql`, `,
      )})
    group by 1, 2, 3`)
  const places = new Map((await rowsOf(tx, resources.location)).map((location) => [location.id, location]))
  const parties: Party[] = []
  for (const budget of rows) {
    const { head } = budget
    const { years: pupils } = fundedPupils(await countedPupils(tx, organisationId, head), null)
    for (let year = 0; year < head.numberOfYears; year++) {
      const own = [...sums].filter((sum) => sum.budget_id === budget.id && sum.year === year)
      parties.push({
        budget,
        locationId: head.locationId,
        isCentral: Boolean(places.get(head.locationId)?.central),
        year,
        income: new Map(own.map((sum) => [sum.code, sum.months])),
        pupils: pupils[year] ?? null,
      })
    }
  }
  return parties
}

/** Years that begin in the same month, one budget for each location. */
function cohorts(parties: readonly Party[]): Party[][] {
  const byMonth = new Map<string, Party[]>()
  for (const party of parties) {
    const { firstYear, startMonth } = party.budget.head
    const key = `${firstYear + party.year} ${startMonth}`
    const cohort = byMonth.get(key) ?? []
    if (!cohort.some((other) => other.locationId === party.locationId)) cohort.push(party)
    byMonth.set(key, cohort)
  }
  return [...byMonth.values()]
}

/** The table of a kind that a party's year goes by. */
function tableOf({ budget: { head }, year }: Party, kind: ElementKind): number | undefined {
  const rows = head.elements[kind].map((row) => ({ from: dayOf(row.effectiveDate), id: row.adminTableId }))
  return effective(rows, firstOf(head.firstYear + year, head.startMonth))?.id
}

function byTable(parties: readonly Party[], kind: ElementKind): Map<number, Party[]> {
  const tables = new Map<number, Party[]>()
  for (const party of parties) {
    const id = tableOf(party, kind)
    if (id !== undefined) tables.set(id, [...(tables.get(id) ?? []), party])
  }
  return tables
}

function keep(posted: Posted, parties: readonly Party[], { byParty, problems }: ReturnType<typeof pool>): void {
  for (const [index, party] of parties.entries()) {
    const own = posted.get(party.budget.id)!
    own.transfers.push(...byParty[index]!)
    for (const problem of problems) own.problems.add(problem)
  }
}

async function postPools(tx: OrganisationTx, parties: readonly Party[], posted: Posted): Promise<void> {
  for (const [tableId, own] of byTable(parties, 'gagPoolTables')) {
    const [table] = await rowsOf(tx, resources.gagPoolTable, 'id', [tableId])
    if (!table) continue
    const members = (await rowsOf(tx, resources.gagPool, 'gagPoolTableId', [tableId])).map((member) => ({
      locationId: member.locationId,
      budgetCodeId: member.budgetCodeId,
      percentage: table.method === 2 ? 100 : (member.percentage ?? table.percentage ?? 0),
      weight: member.weight ?? 1,
    }))
    const rule: PoolRule = { tableId, shareByPupils: table.share === 1, members }
    keep(posted, own, pool(own, rule))
  }
}

async function postSlices(tx: OrganisationTx, organisationId: number, parties: readonly Party[], posted: Posted): Promise<void> {
  const tables = byTable(parties, 'topSliceTables')
  if (!tables.size) return
  const codes = (await rowsOf(tx, resources.budgetCode)).filter((code) => code.type === 1 && code.organisationId === organisationId)
  for (const [tableId, own] of tables) {
    // The central budget receives, whichever table it names itself.
    const central = parties.find((party) => party.isCentral)
    const all = central && !own.includes(central) ? [...own, central] : own
    const rows = await rowsOf(tx, resources.topSlice, 'topSliceTableId', [tableId])
    const rules = rows.map(
      (row): SliceRule => ({
        tableId,
        locationId: row.locationId,
        method: row.method,
        value: row.value,
        budgetCodeId: row.budgetCodeId,
        centralBudgetCodeId: row.centralBudgetCodeId,
        incomeCodeIds: codes
          .filter((code) => !row.incomeTypeIds.length || row.incomeTypeIds.includes(code.incomeTypeId ?? -1))
          .map((code) => code.id),
      }),
    )
    keep(posted, all, slices(all, rules))
  }
}
