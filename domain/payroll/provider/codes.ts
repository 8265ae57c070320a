import { plainHeading } from '../../files/headings.ts'
import { type Candidate, mappingText, suggester } from '../../files/texts.ts'
import { payrollCodeType, payrollElement } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'

/** A code of the provider that a text of a file may be mapped to. */
export interface CodeCandidate extends Candidate {
  /** By the list `payrollCodeTypes`. */
  type: number
  /** By the list `payrollElementTypes`. */
  element: number | null
}

const ofEmployer = /\b(?:employers?|ers?|er s)\b/
/** What the headings of payrolls call the parts of a cost, most telling first. */
const asElement: [number, (text: string) => boolean][] = [
  [payrollElement.employerNi, (text) => ofEmployer.test(text) && /\b(?:ni|nic|nics|national insurance)\b/.test(text)],
  [payrollElement.employerPension, (text) => ofEmployer.test(text) && /\b(?:pension|pens|superannuation|super|tps|lgps|tpa)\b/.test(text)],
  [payrollElement.basic, (text) => /\bbasic\b|^(?:salary|basic salary|pay)$/.test(text)],
  [payrollElement.allowance, (text) => /\ballowances?\b|^(?:tlr|sen|send)\b/.test(text)],
]

/** The element that a text of a payroll file calls, by the list `payrollElementTypes`; undefined: none that is known. */
export function elementCalled(text: string): number | undefined {
  const called = plainHeading(text)
  return called ? asElement.find(([, calls]) => calls(called))?.[0] : undefined
}

/** How a text was found: by an equal code, an equal name, or because one code alone is of the element that it calls. */
export type SuggestedBy = 'code' | 'name' | 'element'

/** Finds the code that a text of a payroll file, or the name beside it, calls. @param hasNames of the file: a column of it names codes */
export function codeSuggester(
  codes: readonly CodeCandidate[],
): (text: string, name: string, hasNames?: boolean) => { id: number; by: SuggestedBy } | null {
  const same = suggester(codes)
  return (text, name, hasNames) => {
    const found = same(text, name, hasNames)
    if (found === 'conflict') {
      // `Basic pay` is the name of a code of basic pay, whatever that is called.
      const numbered = codes.filter((code) => code.codes.some((one) => mappingText(one) === mappingText(text)))
      const [own] = numbered
      return own && numbered.length === 1 && own.element !== null && own.element === elementCalled(name) ? { id: own.id, by: 'code' } : null
    }
    if (found) return found
    for (const element of [text, name].map(elementCalled)) {
      const own = codes.filter((code) => element !== undefined && code.element === element && code.type === payrollCodeType.payment)
      if (own.length === 1) return { id: assertDefined(own[0]).id, by: 'element' }
    }
    return null
  }
}
