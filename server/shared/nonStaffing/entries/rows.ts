import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { type BudgetEntry, calculateEntryYears, periodNames } from '../../../../domain/budget/items/budgetEntry.ts'
import { listYearNames } from '../../../../domain/budget/items/decideEntry.ts'
import type { StoredItem } from '../../../../domain/budget/items/item.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { recordFromKeys } from '../../../../domain/values/keysOf.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { decryptText, encryptText, ensureOrganisationKey } from '../../../core/database/vault.ts'
import { loadItems } from '../../../streams/budget/items.ts'
import { findOutdatedEntries } from '../../funding/queries.ts'

const pounds = (figure: Figure): number | null => (figure === null ? null : toPounds(figure))

/**
 * Encrypts notes for the log with the organisation's key, because they are free text that may mention people. Unchanged text keeps its
 * ciphertext.
 */
export async function createNotesSealer(
  tx: OrganisationTx,
  organisationId: OrganisationId,
): Promise<{
  seal: (notes: string | null, before: BudgetEntry | undefined) => string | null
  open: (entry: BudgetEntry) => string | null
  openSealed: (sealed: string) => string
}> {
  const key = await ensureOrganisationKey(tx, organisationId)
  const open = ({ sealedNotes }: BudgetEntry): string | null => (sealedNotes ? decryptText(key, sealedNotes) : null)
  const openSealed = (sealed: string): string => decryptText(key, sealed)
  return {
    open,
    openSealed,
    seal: (notes, before) => {
      if (!notes) return null
      return before && open(before) === notes ? before.sealedNotes : encryptText(key, notes)
    },
  }
}

/**
 * An entry as the API shows it (entities.json BudgetEntry), in pounds. `years` has amounts that the user entered apart from calculated
 * amounts.
 */
export function presentEntry(
  head: BudgetHead,
  {
    stored: { id, version, created, item },
    notes,
    isOutOfDate,
  }: { stored: StoredItem<'entry'>; notes: string | null; isOutOfDate: boolean },
) {
  const worked = calculateEntryYears(item, head.numberOfYears)
  const first = worked[item.firstYear]
  const periods = first?.periods ?? Array<Figure>(12).fill(null)
  return {
    id,
    version,
    created: dayInLondon(created),
    identifier: item.identifier,
    description: item.description,
    budgetCodeId: item.budgetCodeId,
    costCentreId: item.costCentreId,
    analysisTags: item.analysisTags,
    fundCodes: item.fundCodes,
    notes,
    amount: pounds(first?.amount ?? null),
    ...recordFromKeys(periodNames, (_name, index) => pounds(periods[index] ?? null)),
    budgetYearName: listYearNames(head)[item.firstYear] ?? null,
    profileTemplateId: item.profileTemplateId,
    rows: item.rows,
    years: listYearNames(head).map((yearName, year) => {
      const typed = item.years[year]
      const isLater = year > item.firstYear
      return {
        yearName,
        amount: isLater ? pounds(typed?.amount ?? null) : null,
        rate: isLater ? (typed?.rate ?? null) : null,
        periods: isLater ? (typed?.periods?.map(toPounds) ?? null) : null,
        worked: {
          amount: pounds(assertDefined(worked[year]).amount),
          periods: assertDefined(worked[year]).periods.map(pounds),
          rate: assertDefined(worked[year]).rate,
        },
      }
    }),
    hasOwnPeriods: Boolean(item.years[item.firstYear]?.periods ?? item.years[item.firstYear]?.weights),
    ratesOfCode: item.basis.rates,
    source: item.source,
    isOutOfDate,
  }
}
export type ShownEntry = ReturnType<typeof presentEntry>

/** The number of entries presented before yielding to other work. */
const perTurn = 200

/** Selected entries of a budget as the API shows them, in the order of their ids. */
export async function readEntryRows(call: Call<'organisationId'>, head: BudgetHead, ids: readonly string[]): Promise<ShownEntry[]> {
  const { tx, organisationId } = call
  const { openSealed } = await createNotesSealer(tx, organisationId)
  const rows: ShownEntry[] = []
  for (let start = 0; start < ids.length; start += perTurn) {
    const some = ids.slice(start, start + perTurn)
    const entries = await loadItems({ tx, organisationId, budgetId: head.id }, 'entry', some)
    const stale = await findOutdatedEntries(call, head, entries)
    const byId = new Map(entries.map((entry) => [entry.id, entry]))
    for (const id of some) {
      const entry = byId.get(id)
      const sealed = entry?.item.sealedNotes
      if (entry) rows.push(presentEntry(head, { stored: entry, notes: sealed ? openSealed(sealed) : null, isOutOfDate: stale.has(id) }))
    }
  }
  return rows
}
