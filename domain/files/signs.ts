import { assertDefined } from '../values/assertDefined.ts'
import { readAmount } from './cells.ts'
import type { Cells } from './headings.ts'

/** 1 is a debit, −1 a credit. */
export type LedgerSide = 1 | -1

/** Sage transaction types, with the side each posts to the nominal code of its line. */
const sageTransactionSides: Readonly<Record<string, LedgerSide>> = {
  SI: -1,
  SC: 1,
  PI: 1,
  PC: -1,
  BP: 1,
  BR: -1,
  CP: 1,
  CR: -1,
  VP: 1,
  VR: -1,
  JD: 1,
  JC: -1,
  SR: 1,
  SA: 1,
  SD: 1,
  PP: -1,
  PA: -1,
  PD: -1,
}

/** The side that a cell names, such as `Dr`, `Credit` or `-`; null if it names no side. */
function parseSide(text: string): LedgerSide | null {
  const word = text.trim().replace(/\.$/, '')
  if (/^(?:c|cr|credits?|-|−|–|minus|negative|-1)$/i.test(word)) return -1
  return /^(?:d|dr|db|debits?|\+|plus|positive|\+?1)$/i.test(word) ? 1 : null
}

/** The side of a transaction type, given as a Sage code or in words. */
function findTransactionSide(text: string): LedgerSide | null {
  const word = text.trim()
  const code = sageTransactionSides[word.toUpperCase()]
  if (code) return code
  const isSale = /\b(?:sales?|customer|receivable|ar)\b/i.test(word)
  if (/\bcredit\b/i.test(word)) return isSale ? 1 : -1
  if (/\b(?:invoice|payment|debit|expense)s?\b/i.test(word)) return isSale ? -1 : 1
  return /\breceipts?\b|\brefund\b/i.test(word) ? -1 : null
}

const wordsIn = (cells: Cells, headingRow: number, column: number): string[] => {
  const words = new Set<string>()
  for (let row = headingRow; row < cells.length; row++) {
    const word = (assertDefined(cells[row])[column] ?? '').trim()
    if (word) words.add(word)
    if (words.size > 60) break
  }
  return [...words]
}

/** Whether every cell of a column means debit or credit, and at least one is a word, not only a sign or a 1. */
export function containsSides(cells: Cells, headingRow: number, column: number): boolean {
  const words = wordsIn(cells, headingRow, column)
  return words.some((word) => !/^[-−–]$|^[+-]?1$/.test(word)) && words.every((word) => parseSide(word) !== null)
}

/** Whether the transaction types in a column determine debit or credit. */
export function containsTransactionTypes(cells: Cells, headingRow: number, column: number): boolean {
  const sides = wordsIn(cells, headingRow, column).map((word) => findTransactionSide(word) ?? parseSide(word))
  return sides.includes(-1) && sides.filter((side) => side === null).length * 2 <= sides.length
}

/**
 * Whether credits in their own column are already printed with a minus, so that they are added to the debits. Then no credit is positive
 * and no debit negative. A single negative credit counts as a correction instead, unless debits and credits add up to zero.
 */
export function areCreditsNegative(cells: Cells, headingRow: number, { debits, credits }: { debits: number; credits: number }): boolean {
  const penniesAt = (row: number, column: number): number => {
    const read = readAmount(cells[row]?.[column] ?? '')
    return 'value' in read ? read.value : 0
  }
  let [negative, sum] = [0, 0]
  for (let row = headingRow; row < cells.length; row++) {
    const [debit, credit] = [penniesAt(row, debits), penniesAt(row, credits)]
    if (debit < 0 || credit > 0) return false
    negative += Number(credit < 0)
    sum += debit + credit
  }
  return negative > 1 || (negative === 1 && sum === 0)
}

/** The debit or credit side of each row of a table. */
export interface RowSides {
  /** The side of a row, or a problem if its text means neither debit nor credit. */
  sideOf: (line: readonly string[]) => LedgerSide | { problem: string }
  /** Whether the column tells debits from credits, not only plus from minus. If so, income is negative. */
  areDebits: boolean
}

/**
 * Determines the sign of each row from a column. If every credit is already negative, the amounts have their signs and the column only
 * repeats them.
 * @param amounts the columns of amounts that the column applies to
 */
export function readRowSides(
  cells: Cells,
  { headingRow, column, amounts }: { headingRow: number; column: number; amounts: readonly number[] },
): RowSides {
  if (column < 0) return { sideOf: () => 1, areDebits: false }
  const words = wordsIn(cells, headingRow, column)
  const isTypes = containsTransactionTypes(cells, headingRow, column) && !words.every((word) => parseSide(word) !== null)
  const sideIn = (line: readonly string[]): LedgerSide | null => {
    const word = (line[column] ?? '').trim()
    return isTypes ? (findTransactionSide(word) ?? parseSide(word)) : parseSide(word)
  }
  let [negativeCredits, otherCredits, negativeDebits] = [0, 0, 0]
  for (let row = headingRow; row < cells.length; row++) {
    const line = assertDefined(cells[row])
    const side = sideIn(line)
    if (side === null) continue
    for (const at of amounts) {
      const read = readAmount(line[at] ?? '')
      if (!('value' in read) || !read.value) continue
      if (side === 1) negativeDebits += Number(read.value < 0)
      else if (read.value < 0) negativeCredits++
      else otherCredits++
    }
  }
  const areDebits = isTypes || words.some((word) => /[a-z]/i.test(word))
  if (negativeCredits && !otherCredits && !negativeDebits) return { sideOf: () => 1, areDebits }
  const hasBoth = words.some((word) => parseSide(word) === 1) && words.some((word) => parseSide(word) === -1)
  return {
    areDebits,
    sideOf: (line) => {
      const side = sideIn(line)
      if (side !== null) return side
      const word = (line[column] ?? '').trim()
      // Rows without a mark are debits if the column marks only credits. Some transaction types, such as journals, mean neither side.
      if (isTypes || (!word && !hasBoth)) return 1
      return {
        problem: word ? 'This does not say debit or credit. Enter Dr or Cr.' : 'This row does not say debit or credit. Enter Dr or Cr.',
      }
    },
  }
}
