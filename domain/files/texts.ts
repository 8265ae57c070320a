/** A cell that prevents an import, with its value and a sentence about what to do. */
export interface CellProblem {
  row: number
  column: string | null
  value: string | null
  message: string
}

/** Extracts the name of a school from the title of a section: `School: Northgate` gives Northgate. */
export function extractSchoolName(text: string): string {
  return text.replace(/^(?:school|academy|location|establishment|entity|company|site)\s*[:–-]\s*/i, '').trim()
}

/** Normalises a text to the form that mappings store. */
export function normaliseMappingText(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** A record that a text may be mapped to. */
export interface MappingCandidate {
  id: number
  /** Its identifiers, the most reliable first. */
  codes: readonly string[]
  name: string
}

/** Words that say nothing about what a code is for. */
const fillerWords = new Set([
  'the',
  'a',
  'and',
  'of',
  'for',
  'from',
  'to',
  'in',
  'on',
  'other',
  'general',
  'cost',
  'expense',
  'expenditure',
  'account',
  'code',
  'total',
])

/** Words that change what a name means: a recharge of energy is not energy. */
const meaningChangingWords =
  /^(?:income|recharge|refund|rebate|reimbursement|recovery|grant|deposit|reserve|accrual|prepayment|creditor|debtor|control|bank|vat|recoverable|depreciation|disposal|donation|sale|receipt|contribution|transfer|loan|suspense|balance|payable|receivable|non|not|no|un)$/

/** The words of a name, normalised for comparison. */
function listWords(name: string): Set<string> {
  return new Set(
    name
      .toLowerCase()
      .replace(/['’]/g, '')
      .split(/[^a-z0-9]+/)
      .map((word) => (word.length > 3 ? word.replace(/ies$/, 'y').replace(/(ss)$|s$/, '$1') : word))
      .filter(Boolean),
  )
}

/** Whether two names mean the same: one contains all words of the other, and its extra words do not change the meaning. */
function doNamesAgree(one: string, other: string): boolean {
  const [a, b] = [listWords(one), listWords(other)]
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  if ([...few].every((word) => many.has(word)) && few.size === many.size) return few.size > 0
  const telling = [...few].filter((word) => !fillerWords.has(word))
  return (
    telling.length > 0 &&
    telling.every((word) => many.has(word)) &&
    [...many].every((word) => few.has(word) || !meaningChangingWords.test(word))
  )
}

/** The record suggested for a text, found by an equal identifier (`code`) or an equal name. */
export interface MappingSuggestion {
  id: number
  by: 'code' | 'name'
}

/**
 * Returns a function that suggests the record for a text and for the name in the same row. In a file with names an equal number alone is
 * not enough, because the number may be another code with another name.
 * @returns `conflict` if the record with that number has another name
 */
export function createMappingSuggester(
  candidates: readonly MappingCandidate[],
): (text: string, name: string, hasNames?: boolean) => MappingSuggestion | 'conflict' | null {
  const byCode = new Map<string, MappingCandidate>()
  const byName = new Map<string, number | null>()
  for (const candidate of candidates) {
    for (const code of candidate.codes)
      if (code && !byCode.has(normaliseMappingText(code))) byCode.set(normaliseMappingText(code), candidate)
    const text = normaliseMappingText(candidate.name)
    // A duplicate name identifies neither record.
    if (text) byName.set(text, byName.has(text) ? null : candidate.id)
  }
  return (text, name, hasNames = Boolean(name)) => {
    const own = normaliseMappingText(text)
    if (!own) return null
    const whole = byCode.get(own)
    // `4240 Energy` begins with a code. A first word without a digit is not a code.
    const [first = ''] = own.split(/ - |[ :]/)
    const begins = whole ?? (/\d/.test(first) ? byCode.get(first) : undefined)
    if (begins) {
      const behind = whole ? '' : own.slice(first.length).replace(/^[\s:–-]+/, '')
      const said = name || behind
      // If the file has no names, an equal number is enough.
      if (!said && !hasNames) return { id: begins.id, by: 'code' }
      return said &&
        (doNamesAgree(said, begins.name) || [...begins.codes].some((code) => normaliseMappingText(code) === normaliseMappingText(said)))
        ? { id: begins.id, by: 'code' }
        : 'conflict'
    }
    const named = byName.get(own) ?? byName.get(normaliseMappingText(name))
    return named ? { id: named, by: 'name' } : null
  }
}
