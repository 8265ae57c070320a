/** A cell that stops a file: which, what it says, and what to do. */
export interface CellProblem {
  row: number
  column: string | null
  value: string | null
  message: string
}

/** What a section or a title calls a school: `School: Northgate` is Northgate. */
export function placeText(text: string): string {
  return text.replace(/^(?:school|academy|location|establishment|entity|company|site)\s*[:–-]\s*/i, '').trim()
}

/** Texts as mappings keep them. */
export function mappingText(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** A record that a text may be mapped to. */
export interface Candidate {
  id: number
  /** The identifiers, the best first. */
  codes: readonly string[]
  name: string
}

/** Words that say nothing of what a code is for. */
const fillers = new Set([
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

/** Words that make another thing of what they stand beside: energy is not a recharge of energy. */
const turns =
  /^(?:income|recharge|refund|rebate|reimbursement|recovery|grant|deposit|reserve|accrual|prepayment|creditor|debtor|control|bank|vat|recoverable|depreciation|disposal|donation|sale|receipt|contribution|transfer|loan|suspense|balance|payable|receivable|non|not|no|un)$/

/** What a name says, word by word, however it is written. */
function wordsOf(name: string): Set<string> {
  return new Set(
    name
      .toLowerCase()
      .replace(/['’]/g, '')
      .split(/[^a-z0-9]+/)
      .map((word) => (word.length > 3 ? word.replace(/ies$/, 'y').replace(/(ss)$|s$/, '$1') : word))
      .filter(Boolean),
  )
}

/** Whether two names call the same: all words of one are in the other, and what the other adds does not turn it into something else. */
function namesAgree(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  if ([...few].every((word) => many.has(word)) && few.size === many.size) return few.size > 0
  const telling = [...few].filter((word) => !fillers.has(word))
  return telling.length > 0 && telling.every((word) => many.has(word)) && [...many].every((word) => few.has(word) || !turns.test(word))
}

/** How a text was found: by an equal identifier, or an equal name. */
export interface Suggested {
  id: number
  by: 'code' | 'name'
}

/**
 * Finds the record that a text, or the name beside it, calls. A number is never enough where the file says names: a code whose name says
 * something else is another code.
 * @returns `conflict` where a record has the number and another name
 */
export function suggester(
  candidates: readonly Candidate[],
): (text: string, name: string, hasNames?: boolean) => Suggested | 'conflict' | null {
  const byCode = new Map<string, Candidate>()
  const byName = new Map<string, number | null>()
  for (const candidate of candidates) {
    for (const code of candidate.codes) if (code && !byCode.has(mappingText(code))) byCode.set(mappingText(code), candidate)
    const text = mappingText(candidate.name)
    // Two of one name cannot be told apart.
    if (text) byName.set(text, byName.has(text) ? null : candidate.id)
  }
  return (text, name, hasNames = Boolean(name)) => {
    const own = mappingText(text)
    if (!own) return null
    const whole = byCode.get(own)
    // `4240 Energy` begins with its code; a first word without a digit is a word.
    const [first = ''] = own.split(/ - |[ :]/)
    const begins = whole ?? (/\d/.test(first) ? byCode.get(first) : undefined)
    if (begins) {
      const behind = whole ? '' : own.slice(first.length).replace(/^[\s:–-]+/, '')
      const said = name || behind
      // Without any name in the file its numbers are all that it says.
      if (!said && !hasNames) return { id: begins.id, by: 'code' }
      return said && (namesAgree(said, begins.name) || [...begins.codes].some((code) => mappingText(code) === mappingText(said)))
        ? { id: begins.id, by: 'code' }
        : 'conflict'
    }
    const named = byName.get(own) ?? byName.get(mappingText(name))
    return named ? { id: named, by: 'name' } : null
  }
}
