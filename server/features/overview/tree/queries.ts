import { sql } from 'drizzle-orm'
import { isSharedSource, type StaffSource, sharedSourceNames } from '../../../../domain/budget/sharedSources.ts'
import { budgetCodeCategory } from '../../../../domain/lookups/lookupIds.ts'
import { lookups } from '../../../../domain/lookups/lookups.ts'
import { canSeeStaff } from '../../../../domain/people/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { type FiguresReader, readHiddenCodes } from '../../../shared/fewPeople/queries.ts'
import { combinedCodesId, readCodesForTotals, readLineTotals, type YearSum } from '../../../shared/overview/queries.ts'
import { readContractTitles } from '../../../shared/staffing/contracts/queries.ts'
import { buildTransferSourceId, loadItems, nameTransfer } from '../../../streams/budget/items.ts'
import { completeMonthSums } from '../../../streams/budget/monthSums.ts'

/** How the codes of a tree are grouped: by a reporting scheme, or by category. */
export type TreeGrouping = 'cfr' | 'gag' | 'acoa' | 'custom' | 'category'
const fields = { cfr: 'cfrCodeId', gag: 'gagCodeId', acoa: 'acoaCodeId', custom: 'customCodeId' } as const

export interface TreeCode {
  /** Null for the levy, which has no code. */
  id: number | null
  code: string
  description: string
  years: YearSum[]
  /** The twelve months of each year, in whole pennies. Amounts that could not be calculated are left out. */
  months: Pennies[][]
}

export interface TreeCategory {
  key: string
  name: string
  side: 'income' | 'expenditure' | 'balance'
  codes: TreeCode[]
}

const zeros = (years: number): YearSum[] => Array.from({ length: years }, () => ({ total: 0, missing: 0 }))

/**
 * A budget's income and expenditure by category and budget code, with its years as columns. Balance codes are separate. Codes that would
 * reveal the pay of few people are combined, unless the caller may see staff.
 * @throws DomainError as `readHiddenCodes`
 */
export async function readTree(call: Call & FiguresReader, budget: BudgetRow, scheme: TreeGrouping): Promise<TreeCategory[]> {
  const { tx } = call
  const few = await readHiddenCodes(call, [budget.id])
  const { numberOfYears, locationId } = budget.head
  const codes = await readCodesForTotals(tx, locationId)
  const reporting = new Map((await readResourceRecords(tx, resources.financialReportingCode)).map((row) => [row.id, row]))
  const categories = new Map<string, TreeCategory & { order: number }>()
  for (const { codeId: lineCode, year, total, missing, months } of await readLineTotals(tx, budget)) {
    const codeId = few.has(lineCode) ? combinedCodesId : lineCode
    const code = codeId === null ? undefined : codes.get(codeId)
    const side = code?.facts.category === budgetCodeCategory.balance ? 'balance' : code?.facts.isIncome ? 'income' : 'expenditure'
    const group = code && scheme !== 'category' ? reporting.get(code.record[fields[scheme]] ?? -1) : undefined
    const category =
      scheme === 'category'
        ? lookups.budgetCodeCategories.find((item) => item.id === (code?.facts.category ?? (codeId === null ? 1 : 0)))
        : undefined
    const name = group
      ? `${group.code} ${group.description}`
      : codeId === combinedCodesId
        ? 'Codes with fewer than three people'
        : (category?.name ?? (codeId === null ? 'Apprenticeship levy' : 'No category'))
    const key = `${side} ${group?.id ?? category?.id ?? (codeId === null ? 'levy' : 'none')}`
    const node = categories.get(key) ?? { key, name, side, codes: [], order: group?.order ?? category?.id ?? 9999 }
    categories.set(key, node)
    let treeCode = node.codes.find((one) => one.id === codeId)
    if (!treeCode) {
      treeCode = {
        id: codeId,
        code: code?.record.code ?? '',
        description: code?.description ?? (codeId === combinedCodesId ? 'Budget codes with few people' : 'Apprenticeship levy (no code)'),
        years: zeros(numberOfYears),
        months: Array.from({ length: numberOfYears }, () => Array<number>(12).fill(0)),
      }
      node.codes.push(treeCode)
    }
    const sum = treeCode.years[year]
    if (!sum) continue
    treeCode.years[year] = { total: sum.total + total, missing: sum.missing + missing }
    treeCode.months[year] = assertDefined(treeCode.months[year]).map((amount, month) => amount + assertDefined(months[month]))
  }
  const sides = ['income', 'expenditure', 'balance']
  return [...categories.values()]
    .sort((a, b) => sides.indexOf(a.side) - sides.indexOf(b.side) || a.order - b.order || a.name.localeCompare(b.name))
    .map(({ order: _order, ...node }) => ({
      ...node,
      codes: node.codes.sort((a, b) => a.code.localeCompare(b.code, 'en-GB', { numeric: true })),
    }))
}

/** A source of a code's figures. */
export interface TreeSource {
  kind: StaffSource | 'contracts' | 'entry' | 'transfer'
  id: string
  name: string
  years: YearSum[]
  /** The twelve months of each year; whole pennies, null if not calculated. */
  months: (Pennies | null)[][]
}

/**
 * The sources of one code, largest first. If the caller may not see staff, contracts are combined, or left out if they cover few people.
 * @throws DomainError as `readHiddenCodes`
 */
export async function readSourcesOfCode(call: Call & FiguresReader, budget: BudgetRow, codeId: number | null): Promise<TreeSource[]> {
  const { tx } = call
  const { organisationId, id: budgetId, head } = budget
  const mayStaffing = canSeeStaff(call.holder)
  const isHidden = (await readHiddenCodes(call, [budgetId])).has(codeId)
  const source = mayStaffing ? sql`source_id` : sql`case when source_kind = 'contract' then '' else source_id end`
  const rows = await tx.execute<{
    kind: TreeSource['kind']
    source: string
    year: number
    total: string
    missing: string
    months: (number | null)[]
  }>(sql`
    select source_kind as kind, ${source} as source, year, sum(total) as total, sum(missing) as missing, ${completeMonthSums} as months
    from budget_lines where organisation_id = ${organisationId} and budget_id = ${budgetId} and budget_code_id is not distinct from ${codeId}
      and ${isHidden ? sql`source_kind <> 'contract'` : sql`true`}
    group by 1, 2, 3`)
  const names = await namesOfSources(tx, budget, mayStaffing)
  const sources = new Map<string, TreeSource>()
  for (const row of rows) {
    const key = `${row.kind} ${row.source.trim()}`
    const kind = row.kind === 'contract' && !mayStaffing ? 'contracts' : row.kind
    const known = sources.get(key) ?? {
      kind,
      id: row.source.trim(),
      name: names.get(key) ?? (isSharedSource(kind) ? sharedSourceNames[kind] : 'Staff contracts'),
      years: zeros(head.numberOfYears),
      months: Array.from({ length: head.numberOfYears }, () => Array<number | null>(12).fill(0)),
    }
    sources.set(key, known)
    if (known.years[row.year]) {
      known.years[row.year] = { total: Number(row.total), missing: Number(row.missing) }
      known.months[row.year] = row.months
    }
  }
  return [...sources.values()].sort((a, b) => Math.abs(b.years[0]?.total ?? 0) - Math.abs(a.years[0]?.total ?? 0))
}

async function namesOfSources(tx: OrganisationTx, budget: BudgetRow, mayStaffing: boolean): Promise<Map<string, string>> {
  const { organisationId, id: budgetId } = budget
  const names = new Map<string, string>()
  if (mayStaffing) for (const [id, title] of await readContractTitles({ tx, organisationId, budgetId })) names.set(`contract ${id}`, title)
  for (const { id, item } of await loadItems({ tx, organisationId, budgetId }, 'entry')) names.set(`entry ${id}`, item.description)
  const locationNames = new Map((await readResourceRecords(tx, resources.location)).map((location) => [location.id, location.name]))
  for (const transfer of budget.transfers?.transfers ?? [])
    names.set(
      `transfer ${buildTransferSourceId(transfer)}`,
      transfer.kind === 'gagPool'
        ? 'GAG pool: paid in and shared back'
        : nameTransfer(transfer.part, transfer.counterpartId === null ? '' : (locationNames.get(transfer.counterpartId) ?? '')),
    )
  return names
}
