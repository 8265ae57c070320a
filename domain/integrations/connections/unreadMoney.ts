import { readAmount } from '../../files/cells.ts'
import { holdsMoney } from '../../files/money.ts'
import { displayCount, money } from '../../format.ts'
import type { Pennies } from '../../units.ts'
import { type FieldMapping, leavesOfRecord } from './mapping.ts'

/** Fields of a file or answer that are looked through for money at most. */
const mostFields = 200

/**
 * The money of a file or answer that stands in fields of which nothing is imported, as a sentence: `Not imported: VAT, £34.50 in 2 rows.`
 * @param columns the headings that are read where there is no mapping
 * @returns empty where all money is read
 */
export function unreadMoney(records: readonly object[], mapping: FieldMapping | null, columns: readonly string[]): string {
  const read = new Set(mapping?.columns.length ? mapping.columns.map(({ field }) => field) : columns)
  const values = new Map<string, string[]>()
  for (const [at, record] of records.entries())
    for (const [field, text] of leavesOfRecord(record)) {
      if (read.has(field)) continue
      const own = values.get(field) ?? (values.size < mostFields ? new Array<string>(records.length).fill('') : undefined)
      if (!own) continue
      own[at] = text
      values.set(field, own)
    }
  const found = [...values].flatMap(([field, texts]) => {
    const sum = moneyIn(field, texts)
    return sum ? [`${field}, ${money(sum.pennies)} in ${displayCount(sum.rows, 'row')}`] : []
  })
  return found.length ? ` Not imported: ${found.join('; ')}.` : ''
}

/** What a field comes to where it holds money; null where it holds none. */
function moneyIn(field: string, texts: readonly string[]): { pennies: Pennies; rows: number } | null {
  const heading = field.slice(field.lastIndexOf('.') + 1)
  if (holdsMoney([[heading], ...texts.map((text) => [text])], 1, 0) !== 'yes') return null
  const amounts = texts.flatMap((text) => {
    const amount = text.trim() ? readAmount(text) : { problem: '' }
    return 'value' in amount && amount.value ? [amount.value] : []
  })
  return amounts.length ? { pennies: amounts.reduce((sum, pennies) => sum + pennies, 0), rows: amounts.length } : null
}
