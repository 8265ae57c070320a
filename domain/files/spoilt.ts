/** Stands in for the value of a formula whose result was never stored. */
export const notCalculatedMark = '#NOT CALCULATED'

const errorWords = new Set(
  [
    notCalculatedMark,
    ...['#REF!', '#N/A', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#FIELD!', '#ERROR!', '#BLOCKED!'],
    ...['#CONNECT!', '#UNKNOWN!', '#BUSY!', '#GETTING_DATA', '#EXTERNAL!', '#PYTHON!', '#TIMEOUT!', '#N/A!'],
  ].map((word) => word.toLowerCase()),
)

/**
 * Explains why a filled cell has no usable value and what to do. The cell may contain a spreadsheet error, be too narrow for its figure, or
 * have lost a character. It is then a problem; it never counts as empty.
 * @returns null if the cell has a usable value
 */
export function explainSpoiltCell(text: string): string | null {
  if (text.includes('\uFFFD')) return 'A character in this cell was lost when the file was saved. Enter it again.'
  const word = text.trim().toLowerCase()
  if (word.startsWith('err:') && /^err:\d{3}$/.test(word)) return spreadsheetError
  if (!word.startsWith('#')) return null
  if (/^#{2,}$/.test(word)) return 'The column was too narrow for this figure. Widen it in the spreadsheet, and save the file again.'
  if (word === notCalculatedMark.toLowerCase())
    return 'The result of this formula was never saved. Open the file in the spreadsheet, save it there, and choose it again.'
  return errorWords.has(word) ? spreadsheetError : null
}

const spreadsheetError =
  'The spreadsheet shows an error here instead of a value. Correct the formula or enter the value, and save the file again.'
