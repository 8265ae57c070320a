import { readAmount } from '../../files/cells.ts'
import { isMoneyColumn } from '../../files/money.ts'
import { normaliseColumnHeading } from '../../resources/columns.ts'
import { displayCount, displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import { type FieldMapping, flattenRecord } from './mapping.ts'

const maximumNamed = 5

/** The most fields of a file or reply that are searched for money. */
const maximumFields = 200

/**
 * Describes money in fields that are not imported, such as `Not imported: VAT, £34.50 in 2 rows.`
 * @param columns the imported headings if there is no mapping
 * @param hasSums whether to show sums; in a payroll a sum may be one person's pay
 * @returns empty if no money is left out
 */
export function describeUnreadFields(
  records: readonly object[],
  mapping: FieldMapping | null,
  { columns, hasSums }: { columns: readonly string[]; hasSums: boolean },
): string {
  const hasMapping = Boolean(mapping?.columns.length)
  // Without a mapping, headings are matched as in a file import.
  const asRead = (name: string): string => (hasMapping ? name : normaliseColumnHeading(name))
  const read = new Set(hasMapping ? mapping?.columns.map(({ field }) => field) : columns.map(normaliseColumnHeading))
  const values = new Map<string, string[]>()
  for (const [at, record] of records.entries())
    for (const [field, text] of flattenRecord(record)) {
      if (read.has(asRead(field))) continue
      const fieldValues = values.get(field) ?? (values.size < maximumFields ? new Array<string>(records.length).fill('') : undefined)
      if (!fieldValues) continue
      fieldValues[at] = text
      values.set(field, fieldValues)
    }
  const found = [...values].flatMap(([field, texts]) => {
    const sum = sumMoneyIn(field, texts)
    return sum ? [hasSums ? `${field}, ${displayMoney(sum.pennies)} in ${displayCount(sum.rows, 'row')}` : field] : []
  })
  const more = found.length - maximumNamed
  const named = found.slice(0, maximumNamed).join('; ')
  return found.length ? ` Not imported: ${named}${more > 0 ? `; and ${more} more` : ''}.` : ''
}

/** The sum of a field that contains money; null for other fields. */
function sumMoneyIn(field: string, texts: readonly string[]): { pennies: Pennies; rows: number } | null {
  // Headings are recognised word by word, so `journalNumber` is split into two words.
  const heading = field.slice(field.lastIndexOf('.') + 1).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  if (isMoneyColumn([[heading], ...texts.map((text) => [text])], 1, 0) !== 'yes') return null
  const amounts = texts.flatMap((text) => {
    const amount = text.trim() ? readAmount(text) : { problem: '' }
    return 'value' in amount && amount.value ? [amount.value] : []
  })
  return amounts.length ? { pennies: amounts.reduce((sum, pennies) => sum + pennies, 0), rows: amounts.length } : null
}
