import type { BudgetHead } from '../../domain/budget/budget.ts'
import { yearsOf } from '../../domain/budget/items/budgetEntry.ts'
import { yearNames } from '../../domain/budget/items/decideEntry.ts'
import type { StoredItem } from '../../domain/budget/items/item.ts'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { resources } from '../../domain/resources/all.ts'
import type { BudgetRow } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import { loadItems } from './itemStore.ts'
import { outOfDate } from './linkedItems.ts'
import { rowsOf } from './tables.ts'

/** An entry as a row of the sheet: whole pennies of each year, and which of them are typed. */
export interface SheetRow {
  id: string
  version: number
  identifier: string | null
  description: string
  budgetCodeId: number
  costCentreId: number | null
  fundCodes: { fundCodeId: number; percentage: number }[]
  analysisTags: number[]
  profileTemplateId: number | null
  firstYear: number
  amounts: Figure[]
  /** Of each year: an amount of its own, a rate of its own, or neither. */
  typed: ('amount' | 'rate' | null)[]
  hasOwnPeriods: boolean
  hasNotes: boolean
  source: 'calculation' | 'prediction' | null
  sourceId: string | null
  isOutOfDate: boolean
}

/** Money that others put into the budget: it cannot be edited here. */
export interface LinkedLine {
  id: string
  name: string
  kind: 'gagPool' | 'topSlice' | 'levy'
  budgetCodeId: number | null
  amounts: Figure[]
}

function rowOf(head: BudgetHead, { id, version, item }: StoredItem<'entry'>, isOutOfDate: boolean): SheetRow {
  const { identifier, description, budgetCodeId, costCentreId, fundCodes, analysisTags, profileTemplateId, firstYear } = item
  return {
    id,
    version,
    identifier,
    description,
    budgetCodeId,
    costCentreId,
    fundCodes,
    analysisTags,
    profileTemplateId,
    firstYear,
    amounts: yearsOf(item, head.numberOfYears).map((year) => year.amount),
    typed: Array.from({ length: head.numberOfYears }, (_unused, year) =>
      item.years[year]?.amount != null ? 'amount' : item.years[year]?.rate != null ? 'rate' : null,
    ),
    hasOwnPeriods: item.years.some((year) => year.periods),
    hasNotes: item.sealedNotes !== null,
    source: item.source?.kind ?? null,
    sourceId: item.source?.id ?? null,
    isOutOfDate,
  }
}

/** The sheet of a budget, or some rows of it. */
export async function sheetOf(
  tx: OrganisationTx,
  budget: BudgetRow,
  ids?: readonly string[],
): Promise<{ yearNames: string[]; rows: SheetRow[]; linked: LinkedLine[]; problems: string[] }> {
  const { head, organisationId } = budget
  const entries = await loadItems(tx, organisationId, budget.id, 'entry', ids)
  const stale = await outOfDate(tx, organisationId, head, entries)
  return {
    yearNames: yearNames(head),
    rows: entries.map((entry) => rowOf(head, entry, stale.has(entry.id))),
    linked: ids ? [] : await linkedLines(tx, budget),
    problems: budget.transfers?.problems ?? [],
  }
}

/** Pools and top slices of a budget, one line for each side, over its years. */
async function linkedLines(tx: OrganisationTx, { head, transfers }: BudgetRow): Promise<LinkedLine[]> {
  const all = transfers?.transfers ?? []
  if (!all.length) return []
  const places = new Map((await rowsOf(tx, resources.location)).map((location) => [location.id, location.name]))
  const lines = new Map<string, LinkedLine>()
  for (const { kind, part, counterpartId, budgetCodeId, year, amounts } of all) {
    const id = [kind, part, counterpartId, budgetCodeId].join(' ')
    const line = lines.get(id) ?? {
      id,
      name: nameOf(part, counterpartId === null ? '' : (places.get(counterpartId) ?? '')),
      kind,
      budgetCodeId,
      amounts: Array<Figure>(head.numberOfYears).fill(0),
    }
    const sum = amounts.includes(null) ? null : (amounts as number[]).reduce((a, b) => a + b, 0)
    if (year < head.numberOfYears) line.amounts[year] = sum === null || line.amounts[year] === null ? null : line.amounts[year]! + sum
    lines.set(id, line)
  }
  return [...lines.values()]
}

/** A side of a pool or a slice in words. */
export function nameOf(part: 'contribution' | 'share' | 'charge' | 'receipt', counterpart: string): string {
  if (part === 'contribution') return 'GAG pool: paid in'
  if (part === 'share') return 'GAG pool: shared back'
  return part === 'charge' ? `Top slice to ${counterpart}` : `Top slice from ${counterpart}`
}
