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

/** Finds the record that a text, or the name beside it, calls. @returns how it was found: by an equal identifier, or an equal name */
export function suggester(candidates: readonly Candidate[]): (text: string, name: string) => { id: number; by: 'code' | 'name' } | null {
  const byCode = new Map<string, number>()
  const byName = new Map<string, number | null>()
  for (const { id, codes, name } of candidates) {
    for (const code of codes) if (code && !byCode.has(mappingText(code))) byCode.set(mappingText(code), id)
    const text = mappingText(name)
    // Two of one name cannot be told apart.
    if (text) byName.set(text, byName.has(text) ? null : id)
  }
  return (text, name) => {
    const own = mappingText(text)
    // `4240 Energy` begins with its code; a first word without a digit is a word.
    const [first = ''] = own.split(/ - |[ :]/)
    const code = byCode.get(own) ?? (/\d/.test(first) ? byCode.get(first) : undefined)
    if (code !== undefined && own) return { id: code, by: 'code' }
    const named = byName.get(own) ?? byName.get(mappingText(name))
    return named ? { id: named, by: 'name' } : null
  }
}
