import { normaliseHeading } from '../../files/headings.ts'
import { createMappingSuggester, type MappingCandidate, normaliseMappingText } from '../../files/texts.ts'
import { payrollCodeType, payrollElement } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'

export interface CodeCandidate extends MappingCandidate {
  type: number
  /** An id from the list `payrollElementTypes`. */
  element: number | null
}

const employerPattern = /\b(?:employers?|ers?|er s)\b/
/** Patterns by which headings name the elements, the most specific first. */
const elementPatterns: [number, (text: string) => boolean][] = [
  [payrollElement.employerNi, (text) => employerPattern.test(text) && /\b(?:ni|nic|nics|national insurance)\b/.test(text)],
  [
    payrollElement.employerPension,
    (text) => employerPattern.test(text) && /\b(?:pension|pens|superannuation|super|tps|lgps|tpa)\b/.test(text),
  ],
  [payrollElement.basic, (text) => /\bbasic\b|^(?:salary|basic salary|pay)$/.test(text)],
  [payrollElement.allowance, (text) => /\ballowances?\b|^(?:tlr|sen|send)\b/.test(text)],
]

/**
 * Recognises the payroll element that a text names, as an id from the list `payrollElementTypes`; undefined if the text names no element.
 */
export function recogniseElement(text: string): number | undefined {
  const called = normaliseHeading(text)
  return called ? elementPatterns.find(([, calls]) => calls(called))?.[0] : undefined
}

/** Why a code was suggested: it equals the text, has the same name, or is the only code of the element that the text names. */
export type SuggestionReason = 'code' | 'name' | 'element'

/**
 * Creates a function that suggests a code for a text and the name in the same row. `hasNames` says whether the file has a column of code
 * names.
 */
export function createCodeSuggester(
  codes: readonly CodeCandidate[],
): (text: string, name: string, hasNames?: boolean) => { id: number; by: SuggestionReason } | null {
  const same = createMappingSuggester(codes)
  return (text, name, hasNames) => {
    const found = same(text, name, hasNames)
    if (found === 'conflict') {
      // `Basic pay` names the element of the code, so the code matches even if its own name is another.
      const numbered = codes.filter((code) => code.codes.some((one) => normaliseMappingText(one) === normaliseMappingText(text)))
      const [only] = numbered
      return only && numbered.length === 1 && only.element !== null && only.element === recogniseElement(name)
        ? { id: only.id, by: 'code' }
        : null
    }
    if (found) return found
    for (const element of [text, name].map(recogniseElement)) {
      const matching = codes.filter((code) => element !== undefined && code.element === element && code.type === payrollCodeType.payment)
      if (matching.length === 1) return { id: assertDefined(matching[0]).id, by: 'element' }
    }
    return null
  }
}
