import { findClosestMatch } from '../lists/nearest.ts'
import type { TemplateChoice } from './template.ts'

/** A cell that prevents an import. */
export interface WrongCell {
  column: string
  value: string
  /** The cells of the same row, by column of the import. */
  cells: Readonly<Record<string, string>>
  /** The heading of the column in the file. */
  heading: string
}

/**
 * Values that would correct a cell, by column of the import. Usually there is one value, for the cell's own column; a cell that holds two
 * codes gets a value for the column of each code.
 */
export type Correction = Readonly<Record<string, string>>

type Offered = Readonly<Record<string, readonly TemplateChoice[]>>

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

/** Words that schools and payrolls use for the national pay scales. */
const scaleWords: Readonly<Record<string, readonly string[]>> = {
  main: ['m', 'ms', 'mps', 'mpr', 'tms', 'main scale', 'main pay scale', 'main pay range'],
  upper: ['u', 'up', 'us', 'ups', 'upr', 'upper scale', 'upper pay scale', 'upper pay range'],
  leadership: ['l', 'ls', 'lps', 'lead', 'leader', 'leadership scale', 'leadership point'],
  unqualified: ['uq', 'uqt', 'unq', 'unqualified teacher'],
  njc: ['scp', 'njc scp', 'njc point', 'njc spine point', 'spinal column point', 'spinal point', 'spine point'],
}

/** The pay scale that a word means, in lower case without spaces; the word itself if it means none of the national scales. */
const scaleOf = (word: string): string =>
  Object.entries(scaleWords).find(([, called]) => called.some((name) => letters(name) === word))?.[0] ?? word

/** The pay scale that a heading names; undefined if it names none or several. */
function scaleOfHeading(heading: string): string | undefined {
  const named = heading.split(/[^A-Za-z]+/).flatMap((word) => {
    const scale = scaleOf(letters(word))
    return word.length > 2 && scale in scaleWords ? [scale] : []
  })
  return new Set(named).size === 1 ? named[0] : undefined
}

/**
 * Finds the scale point that a text such as `UPS3`, `MPS 4` or `SCP 2` means. A number alone is a point of the scale that the column's
 * heading or another cell of the row names.
 */
function findScalePoint({ value, heading, cells }: WrongCell, choices: readonly TemplateChoice[]): string | null {
  const [, words, number] = /^(\D*?)[\s.:/-]*0*(\d{1,2})$/.exec(value.trim()) ?? []
  if (number === undefined) return null
  const called = letters(words ?? '')
  const isSupport = [cells.Type, cells.ContractTypeName].some((type) => /^support\b/i.test(type?.trim() ?? ''))
  const scale = called ? scaleOf(called) : (scaleOfHeading(heading) ?? (isSupport ? 'njc' : undefined))
  const found = choices.filter(({ value: name }) => {
    const [, of = '', point] = /^(.*) \D*?(\d+)$/.exec(name) ?? []
    return letters(of) === scale && Number(point) === Number(number)
  })
  return found.length === 1 ? (found[0]?.value ?? null) : null
}

const inPension =
  /^(?:tps|lgps|tp|teachers?['’]?s?['’]? pensions?(?: scheme)?|local government pension(?: scheme)?|(?:in )?(?:pension )?scheme|(?:active )?member|enrolled|in|opted in)$/i
const notInPension = /^(?:none|no(?:t a| pension|t in)?(?: scheme| member)?|non[ -]?member|opt(?:ed)?[ -]?out|out|n\/?a|nil)$/i

/** Common abbreviations, with their full forms. */
const inFull: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tps|tp)\b/gi, 'teachers pension'],
  [/\blgps\b/gi, 'local government pension'],
]
const spellOut = (text: string): string => inFull.reduce((words, [short, long]) => words.replace(short, long), text)

/** Splits a text in two at each of its separators. Each pair of parts is returned in both orders. */
function splitAtSigns(text: string): [string, string][] {
  return [...text.matchAll(/[\s/|.:_–-]+/g)].flatMap(({ index, 0: { length } }): [string, string][] => {
    const [before, after] = [text.slice(0, index), text.slice(index + length)]
    return before && after
      ? [
          [before, after],
          [after, before],
        ]
      : []
  })
}

/** The value in a list that a cell most likely means; null if that is not clear. */
function suggestValue(cell: WrongCell, choices: readonly TemplateChoice[]): string | null {
  const text = cell.value.trim()
  if (choices.length === 2 && choices[0]?.value === 'Yes') {
    if (inPension.test(text)) return 'Yes'
    if (notInPension.test(text)) return 'No'
  }
  if (/ScalePoint$/.test(cell.column)) {
    const point = findScalePoint(cell, choices)
    // A number that is not a point of its own scale is similar to points of every scale, so no similar point is suggested.
    if (point || /^\d+$/.test(text)) return point
  }
  // Compare a number only with values that end in the same number. Codes and points with similar digits are different, and a point that
  // does not exist must not be corrected to another point.
  const number = numberAtEnd(text)
  const isNumbered = number !== null && (/ScalePoint$/.test(cell.column) || /^\d+$/.test(text))
  return findMeaning(text, isNumbered ? choices.filter(({ value }) => numberAtEnd(value) === number) : choices)
}

/** The number at the end of a code or scale point; null if it has none. */
const numberAtEnd = (text: string): number | null => {
  const [digits] = /\d+$/.exec(text.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}

/** The value that is most similar to a text; null if no value is similar or several are equally similar. */
function findMeaning(text: string, choices: readonly TemplateChoice[]): string | null {
  // A code followed by words other than its meaning may be two codes. Correcting the cell to the first code would lose the second.
  const [code, rest] = splitAtSigns(text).find(([first]) => choices.some(({ value }) => value.toLowerCase() === first.toLowerCase())) ?? []
  if (code !== undefined && rest !== undefined) {
    const own = choices.filter(({ value }) => value.toLowerCase() === code.toLowerCase())
    return findClosestMatch(rest, own)
  }
  const spelt = choices.map(({ value, meaning }) => ({ value: spellOut(value), meaning: meaning && spellOut(meaning) }))
  const closest = findClosestMatch(spellOut(text), spelt)
  const meant = choices[spelt.findIndex(({ value }) => value === closest)]?.value ?? null
  // Codes with different digits are different codes, however similar they look.
  const [number] = text.match(/\d{3,}/) ?? []
  const numbers = meant?.match(/\d{3,}/g)
  return number && numbers && !numbers.some((one) => Number(one) === Number(number)) ? null : meant
}

/** The columns whose codes may share a cell with a budget code. */
const joinedWith = ['CostCentre', 'FundCodes']

/**
 * Separates a cell that holds two codes, such as `4010-ENG`, if both are known codes. A code in a column of its own is never replaced.
 * @returns null if the cell does not hold two codes, or holds them in more than one way
 */
function splitCodes({ column, value, cells }: WrongCell, offered: Offered): Correction | null {
  if (column !== 'BudgetCode') return null
  const known = (of: string, text: string): string | undefined => {
    const wanted = text.trim().toLowerCase()
    return wanted ? offered[of]?.find((choice) => choice.value.toLowerCase() === wanted)?.value : undefined
  }
  const found = splitAtSigns(value.trim()).flatMap(([code, second]) =>
    joinedWith.flatMap((other) => {
      const [own, theirs] = [known(column, code), known(other, second)]
      const standing = cells[other]?.trim().toLowerCase()
      return own && theirs && (!standing || standing === theirs.toLowerCase()) ? [{ [column]: own, [other]: theirs }] : []
    }),
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The other cells of a row that affect which correction is chosen. */
const otherCells = ['Type', 'ContractTypeName', ...joinedWith]

/**
 * Returns a function that suggests how to correct a cell. It caches its answers, because the same mistake is often in thousands of rows and
 * each comparison with a long list takes milliseconds.
 * @param offered the allowed values, by column
 */
export function createCorrectionSuggester(offered: Offered): (cell: WrongCell, kinds?: 'all' | 'joinedCodes') => Correction | null {
  const known = new Map<string, Correction | null>()
  return (cell, kinds = 'all') => {
    const { column, value, cells, heading } = cell
    const key = JSON.stringify([kinds, column, value, heading, ...otherCells.map((name) => cells[name] ?? '')])
    const before = known.get(key)
    if (before !== undefined) return before
    const correction = suggestCorrection(cell, offered, kinds)
    known.set(key, correction)
    return correction
  }
}

/** Suggests how to correct a cell. @param offered the allowed values, by column */
export function suggestCorrection(cell: WrongCell, offered: Offered, kinds: 'all' | 'joinedCodes' = 'all'): Correction | null {
  const choices = offered[cell.column] ?? []
  if (!cell.value.trim() || choices.some(({ value }) => value === cell.value)) return null
  const both = splitCodes(cell, offered)
  if (both || kinds === 'joinedCodes') return both
  const value = suggestValue(cell, choices)
  return value === null ? null : { [cell.column]: value }
}
