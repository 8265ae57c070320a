import { readAmount } from '../../files/cells.ts'
import { holdsMoney } from '../../files/money.ts'
import { normal } from '../../resources/columns.ts'
import { displayCount, displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { type FieldMapping, leavesOfRecord } from './mapping.ts'

/** Fields with money that are named at most. */
const mostNamed = 5

/** Fields of a file or answer that are looked through for money at most. */
const mostFields = 200

/**
 * The money of a file or answer that stands in fields of which nothing is imported, as a sentence: `Not imported: VAT, £34.50 in 2 rows.`
 * @param columns the headings that are read where there is no mapping
 * @param hasSums whether to name the sums; in a payroll they may be one person's pay
 * @returns empty where all money is read
 */
export function describeUnreadFields(
  records: readonly object[],
  mapping: FieldMapping | null,
  { columns, hasSums }: { columns: readonly string[]; hasSums: boolean },
): string {
  const hasMapping = Boolean(mapping?.columns.length)
  // Without a mapping, headings are matched as an import matches them.
  const asRead = (name: string): string => (hasMapping ? name : normal(name))
  const read = new Set(hasMapping ? mapping?.columns.map(({ field }) => field) : columns.map(normal))
  const values = new Map<string, string[]>()
  for (const [at, record] of records.entries())
    for (const [field, text] of leavesOfRecord(record)) {
      if (read.has(asRead(field))) continue
      const own = values.get(field) ?? (values.size < mostFields ? new Array<string>(records.length).fill('') : undefined)
      if (!own) continue
      own[at] = text
      values.set(field, own)
    }
  const found = [...values].flatMap(([field, texts]) => {
    const sum = moneyIn(field, texts)
    return sum ? [hasSums ? `${field}, ${displayMoney(sum.pennies)} in ${displayCount(sum.rows, 'row')}` : field] : []
  })
  const more = found.length - mostNamed
  const named = found.slice(0, mostNamed).join('; ')
  return found.length ? ` Not imported: ${named}${more > 0 ? `; and ${more} more` : ''}.` : ''
}

/** What a field comes to where it holds money; null where it holds none. */
function moneyIn(field: string, texts: readonly string[]): { pennies: Pennies; rows: number } | null {
  // `journalNumber` is two words to whoever reads headings.
  const heading = field.slice(field.lastIndexOf('.') + 1).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  if (holdsMoney([[heading], ...texts.map((text) => [text])], 1, 0) !== 'yes') return null
  const amounts = texts.flatMap((text) => {
    const amount = text.trim() ? readAmount(text) : { problem: '' }
    return 'value' in amount && amount.value ? [amount.value] : []
  })
  return amounts.length ? { pennies: amounts.reduce((sum, pennies) => sum + pennies, 0), rows: amounts.length } : null
}
