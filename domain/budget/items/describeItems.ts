import { getLookupName } from '../../lookups/lookups.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { formatPeriodMonth } from '../../values/calendar.ts'
import { displayCount, displayDate, displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import type { BudgetHead } from '../budget.ts'
import { formatFieldChange } from '../contractSentence.ts'
import type { FieldChange, RecordNamer } from '../fieldChange.ts'
import type { BudgetEntry } from './budgetEntry.ts'
import { calculateEntryYears } from './budgetEntry.ts'
import { listYearNames } from './decideEntry.ts'
import { describeYearsDifference } from './describeYearsDifference.ts'
import type { ItemEvent, ItemKind, StoredItem } from './item.ts'
import { getItemKind, isItemSaved } from './item.ts'
import type { ScenarioChange } from './scenario.ts'

export const itemKindNames: Record<ItemKind, string> = {
  entry: 'budget entry',
  calculation: 'calculation',
  prediction: 'funding prediction',
  pupils: 'pupil numbers',
  balance: 'opening balance',
  comment: 'comment',
  scenario: 'scenario',
}

/**
 * Name of an item in a sentence. Empty for pupil numbers, because a budget has only one set, and for comments, because their text is
 * encrypted.
 */
export function formatItemName(stored: StoredItem): string {
  if (stored.kind === 'pupils' || stored.kind === 'comment') return ''
  return stored.kind === 'entry' || stored.kind === 'balance' ? stored.item.description : stored.item.name
}

export function describeItemEvent(
  event: ItemEvent,
  { before, after, head, nameOf }: { before: StoredItem | undefined; after: StoredItem | undefined; head: BudgetHead; nameOf: RecordNamer },
): { sentence: string; changes: FieldChange[] } {
  const kind = assertDefined(getItemKind(event.type))
  const name = formatItemName(assertDefined(after ?? before))
  const { undoes } = event.data
  const changes = before && after ? describeItemChanges(before, { after, head, nameOf }) : []
  const title = kind === 'comment' ? 'a comment' : `the ${itemKindNames[kind]} ${name}`.trim()
  const undone = undoes ? `undid version ${undoes}: ` : ''
  if (before && after) return { sentence: undone + itemChangeSentence(before, { after, head, changes }), changes }
  const verb = isItemSaved(event) ? (undoes ? 'restored' : 'added') : undoes ? 'removed' : 'deleted'
  return { sentence: `${undone}${verb} ${title}${formatFirstAmount(after ?? before, head)}`, changes }
}

/**
 * Says how an item changed, as a colleague would. If several fields changed, the sentence only names the item or, for an entry, gives the
 * difference between its yearly amounts; the fields are listed below it.
 */
function itemChangeSentence(
  before: StoredItem,
  { after, head, changes }: { after: StoredItem; head: BudgetHead; changes: readonly FieldChange[] },
): string {
  if (before.kind === 'comment' && after.kind === 'comment') return commentChangeSentence(before.item.resolvedAt, after.item.resolvedAt)
  const kind = itemKindNames[after.kind]
  const title = `the ${kind} ${formatItemName(after)}`.trim()
  if (before.kind === 'entry' && after.kind === 'entry') {
    const [was, is] = [calculateYearAmounts(before.item, head), calculateYearAmounts(after.item, head)]
    const difference = was && is ? describeYearsDifference(was, is, head) : ''
    if (difference) return `changed ${title}, ${difference}`
  }
  const [only] = changes
  if (changes.length !== 1 || !only) return `changed ${title}`
  return formatItemName(before) === formatItemName(after)
    ? formatFieldChange(title, only)
    : `renamed the ${kind} ${formatItemName(before)} to ${formatItemName(after)}`
}

function commentChangeSentence(resolvedBefore: string | null, resolvedAfter: string | null): string {
  if (Boolean(resolvedBefore) === Boolean(resolvedAfter)) return 'changed a comment'
  return resolvedAfter ? 'resolved a comment' : 'reopened a comment'
}

/** The yearly amounts of an entry; null if one of them is not calculated. */
function calculateYearAmounts(entry: BudgetEntry, head: BudgetHead): Pennies[] | null {
  const amounts = calculateEntryYears(entry, head.numberOfYears).map(({ amount }) => amount)
  return amounts.every((amount) => amount !== null) ? amounts : null
}

/** The end of a sentence about a new or deleted item, with its first amount: `: £1,200.00 in 2026/27`. */
function formatFirstAmount(stored: StoredItem | undefined, head: BudgetHead): string {
  if (stored?.kind === 'balance') return `: ${displayMoney(stored.item.value)}`
  const amounts = stored?.kind === 'entry' ? calculateYearAmounts(stored.item, head) : null
  const first = amounts?.findIndex((amount) => amount !== 0) ?? -1
  return amounts && first >= 0 ? `: ${displayMoney(assertDefined(amounts[first]))} in ${listYearNames(head)[first]}` : ''
}

export function describeItemChanges(
  before: StoredItem,
  { after, head, nameOf }: { after: StoredItem; head: BudgetHead; nameOf: RecordNamer },
): FieldChange[] {
  const [a, b] = [describeFieldsOfItem(before, head, nameOf), describeFieldsOfItem(after, head, nameOf)]
  const names = [...new Set([...a.keys(), ...b.keys()])]
  const changes = names
    .map((field) => ({ field, before: a.get(field) ?? 'none', after: b.get(field) ?? 'none' }))
    .filter((change) => change.before !== change.after)
  return before.kind === 'entry' && after.kind === 'entry' ? [...changes, ...describeMonthChanges(before.item, after.item, head)] : changes
}

/**
 * Describes changed months if they were entered before or after the change, or if the year's total is the same. Otherwise they follow from
 * the year's amount and the profile, which are described already.
 */
function describeMonthChanges(before: BudgetEntry, after: BudgetEntry, head: BudgetHead): FieldChange[] {
  const sameProfile = before.profileTemplateId === after.profileTemplateId
  const isTyped = ({ years }: BudgetEntry, year: number): boolean => Boolean(years[year]?.periods)
  const names = listYearNames(head)
  const was = calculateEntryYears(before, head.numberOfYears)
  const displayed = (one: number | null | undefined): string => (one === null || one === undefined ? 'not calculated' : displayMoney(one))
  return calculateEntryYears(after, head.numberOfYears).flatMap(({ amount, periods }, year) =>
    isTyped(before, year) || isTyped(after, year) || (sameProfile && was[year]?.amount === amount)
      ? periods
          .map((one, period) => ({
            field: `${formatPeriodMonth(head.startMonth, period + 1)} of ${names[year]}`,
            before: displayed(was[year]?.periods[period]),
            after: displayed(one),
          }))
          .filter((change) => change.before !== change.after)
      : [],
  )
}

/** Describes a change of a scenario without the holder of a contract and without hours, because every reader of the history sees it. */
function describeScenarioChange(change: ScenarioChange, head: BudgetHead, nameOf: RecordNamer): string {
  const year = (index: number): string => listYearNames(head)[index] ?? `year ${index + 1}`
  const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)}`
  switch (change.kind) {
    case 'award':
      return `Award of ${change.rate}% from ${displayDate(change.effectiveDate)} for ${change.contractTypeIds.map((id) => nameOf('contractType', id)).join(', ')}`
    case 'removePost':
      return `A post ends before ${displayDate(change.from)}`
    case 'hours':
      return `The hours of a post change from ${displayDate(change.from)}`
    case 'entry':
      return `An entry: ${signed(change.percentage)}%`
    case 'newEntry':
      return `New: ${change.description}, ${displayMoney(change.amount)} from ${year(change.firstYear)} on ${nameOf('budgetCode', change.budgetCodeId)}`
    case 'pupils':
      return `${getLookupName('pupilYearGroups', change.yearGroup) ?? 'A year group'}: ${signed(change.by)} pupils from ${year(change.firstYear)}`
  }
}

function describeFieldsOfItem(stored: StoredItem, head: BudgetHead, nameOf: RecordNamer): Map<string, string> {
  const { kind, item } = stored
  if (kind === 'entry') return entryFields(item, head, nameOf)
  if (kind === 'balance')
    return new Map([
      ['Description', item.description],
      ['Type', getLookupName('openingBalanceTypes', item.type) ?? ''],
      ['Value', displayMoney(item.value)],
    ])
  if (kind === 'calculation')
    return new Map([
      ['Name', item.name],
      ['Description', item.description ?? 'none'],
      ...describeCoding(item, nameOf),
      ...item.rows.map((row, index): [string, string] => [
        `Row ${index + 1}`,
        [getLookupName('budgetEntryTypes', row.kind), row.description, row.value, row.years.join(' '), row.periods.join(' ')]
          .filter(Boolean)
          .join(', '),
      ]),
    ])
  if (kind === 'prediction')
    return new Map([
      ['Name', item.name],
      ['Version', nameOf('adminTable', item.versionId)],
      ['Budget code', nameOf('budgetCode', item.budgetCodeId)],
      ...item.rows.map((row, index): [string, string] => [
        `Row ${index + 1}`,
        [
          row.kind,
          row.category && getLookupName('localAuthorityFundingRateCategories', row.category),
          row.description,
          row.years.join(' '),
          row.rate,
        ]
          .filter(Boolean)
          .join(', '),
      ]),
    ])
  if (kind === 'comment') return new Map()
  if (kind === 'scenario')
    return new Map([
      ['Name', item.name],
      ...item.changes.map((change, index): [string, string] => [`Change ${index + 1}`, describeScenarioChange(change, head, nameOf)]),
    ])
  const years = ['Previous October', ...listYearNames(head)]
  const lessons = (item.lessons ?? []).flatMap(({ week, taught, weeks }, index): [string, string][] => {
    const counts = [
      ['Lessons per class each week', week],
      ['Lessons taught each week', taught],
      ['Teaching weeks in the year', weeks],
    ] as const
    return counts.flatMap(([name, count]): [string, string][] =>
      count === null ? [] : [[`${name} in ${years[index + 1] ?? ''}`, String(count)]],
    )
  })
  const reported = (item.said ?? []).map(({ yearGroup, october, count }): [string, string] => [
    `${getLookupName('pupilYearGroups', yearGroup)} in October ${october} according to another system`,
    String(count),
  ])
  return new Map([
    ...lessons,
    ...item.rows.flatMap((row): [string, string][] => {
      const name =
        row.description ?? getLookupName('pupilYearGroups', row.yearGroup ?? 0) ?? getLookupName('pupilPhases', row.phase ?? 0) ?? row.kind
      return [row.before, ...row.years].flatMap((count, index): [string, string][] =>
        count === null ? [] : [[`${name} in ${years[index] ?? ''}`, String(count)]],
      )
    }),
    ...reported,
  ])
}

function describeCoding(item: Pick<BudgetEntry, 'budgetCodeId' | 'costCentreId' | 'fundCodes'>, nameOf: RecordNamer): [string, string][] {
  return [
    ['Budget code', nameOf('budgetCode', item.budgetCodeId)],
    ['Cost centre', item.costCentreId === null ? 'none' : nameOf('costCentre', item.costCentreId)],
    ['Fund codes', item.fundCodes.map((share) => `${nameOf('fundCode', share.fundCodeId)} ${share.percentage}%`).join(', ') || 'none'],
  ]
}

function entryFields(entry: BudgetEntry, head: BudgetHead, nameOf: RecordNamer): Map<string, string> {
  const names = listYearNames(head)
  const years = calculateEntryYears(entry, head.numberOfYears).map(({ amount }, year): [string, string] => [
    assertDefined(names[year]),
    amount === null ? 'not calculated' : displayMoney(amount),
  ])
  return new Map([
    ['Identifier', entry.identifier ?? 'none'],
    ['Description', entry.description],
    ...describeCoding(entry, nameOf),
    ['Analysis tags', entry.analysisTags.map((id) => nameOf('analysisTag', id)).join(', ') || 'none'],
    ['Profile template', entry.profileTemplateId === null ? 'none' : nameOf('profileTemplate', entry.profileTemplateId)],
    ['Notes', entry.sealedNotes ? 'a note' : 'none'],
    ...years,
  ])
}

export function describeTransfers(transfers: readonly { kind: string }[], problems: readonly string[]): string {
  const lines = transfers.length ? displayCount(transfers.length, 'line') : 'none'
  return `posted pools and top slices: ${lines}${problems.length ? `. ${problems.join(' ')}` : ''}`
}

export function describeTables(head: BudgetHead, nameOf: RecordNamer): string {
  const { topSliceTables, gagPoolTables, ...national } = head.elements
  const names = (rows: BudgetHead['elements']['topSliceTables'], kind: Parameters<RecordNamer>[0]): string[] =>
    rows.map((row) => `${nameOf(kind, row.adminTableId)} from ${displayDate(row.effectiveDate)}`)
  const all = [
    ...names(Object.values(national).flat(), 'adminTable'),
    ...names(topSliceTables, 'topSliceTable'),
    ...names(gagPoolTables, 'gagPoolTable'),
  ]
  return all.join('; ') || 'none'
}
