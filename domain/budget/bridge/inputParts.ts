import type { CalculationInputs, DatedRate } from '../../calculation/inputs.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { IsoDate } from '../../values/calendar.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { recordFromKeys } from '../../values/keysOf.ts'

/** The parts of what contracts are calculated with, in the order in which they are changed. */
export const parts = ['payTables', 'awards', 'ni', 'pension', 'other'] as const
export type Part = (typeof parts)[number]

const payKinds = ['teacherPayScales', 'supportPayScales', 'customTeacherPayScales', 'customSupportPayScales'] as const

/** Inputs as if nothing of some parts had changed after a day: later tables and rates are not there. */
export function heldAt(inputs: CalculationInputs, day: IsoDate, held: ReadonlySet<Part>): CalculationInputs {
  const cut = <T extends { effectiveDate: IsoDate }>(rows: T[], part: Part): T[] =>
    held.has(part) ? rows.filter((row) => row.effectiveDate <= day) : rows
  const { budgetElements: elements } = inputs
  const pay = recordFromKeys(payKinds, (kind) => cut(elements[kind], 'payTables'))
  return {
    ...inputs,
    budgetElements: {
      ...pay,
      nationalInsurance: cut(elements.nationalInsurance, 'ni'),
      extendedLeave: cut(elements.extendedLeave, 'other'),
    },
    assumptions: Object.fromEntries(
      Object.entries(inputs.assumptions).map(([type, rates]) => [
        type,
        { inflation: cut(rates.inflation, 'awards'), erPension: cut(rates.erPension, 'pension') },
      ]),
    ),
    allowances: Object.fromEntries(
      Object.entries(inputs.allowances).map(([name, allowance]) => [name, { ...allowance, rates: cut(allowance.rates, 'other') }]),
    ),
  }
}

/** One set of inputs with some parts of another. What only one of them knows, both know. */
export function mixed(a: CalculationInputs, b: CalculationInputs, fromB: ReadonlySet<Part>): CalculationInputs {
  const of = (part: Part): CalculationInputs => (fromB.has(part) ? b : a)
  const both = <T>(part: Part, pick: (inputs: CalculationInputs) => Record<string, T>): Record<string, T> =>
    fromB.has(part) ? { ...pick(a), ...pick(b) } : { ...pick(b), ...pick(a) }
  const pay = recordFromKeys(payKinds, (kind) => of('payTables').budgetElements[kind])
  const types = new Set([...Object.keys(a.assumptions), ...Object.keys(b.assumptions)])
  const rates = (part: Part, type: string, which: 'inflation' | 'erPension'): DatedRate[] =>
    assertDefined(of(part).assumptions[type] ?? a.assumptions[type] ?? b.assumptions[type])[which]
  return {
    budget: of('other').budget,
    tables: {
      payScales: both('payTables', (inputs) => inputs.tables.payScales),
      nationalInsurance: both('ni', (inputs) => inputs.tables.nationalInsurance),
      extendedLeave: both('other', (inputs) => inputs.tables.extendedLeave),
    },
    budgetElements: {
      ...pay,
      nationalInsurance: of('ni').budgetElements.nationalInsurance,
      extendedLeave: of('other').budgetElements.extendedLeave,
    },
    contractTypes: both('other', (inputs) => inputs.contractTypes),
    assumptions: Object.fromEntries(
      [...types].map((type) => [type, { inflation: rates('awards', type, 'inflation'), erPension: rates('pension', type, 'erPension') }]),
    ),
    allowances: both('other', (inputs) => inputs.allowances),
    leaveRulesets: both('other', (inputs) => inputs.leaveRulesets),
  }
}

/** The parts in which two sets of inputs differ. The years of a budget are no difference, its pay area is one of the other rules. */
export function differingParts(a: CalculationInputs, b: CalculationInputs): Part[] {
  if (a === b) return []
  const pick: Record<Part, (inputs: CalculationInputs) => unknown> = {
    payTables: ({ budgetElements, tables }) => [payKinds.map((kind) => budgetElements[kind]), tables.payScales],
    awards: ({ assumptions }) => Object.entries(assumptions).map(([type, { inflation }]) => [type, inflation]),
    ni: ({ budgetElements, tables }) => [budgetElements.nationalInsurance, tables.nationalInsurance],
    pension: ({ assumptions }) => Object.entries(assumptions).map(([type, { erPension }]) => [type, erPension]),
    other: ({ budget, budgetElements, tables, contractTypes, allowances, leaveRulesets }) => [
      budget,
      budgetElements.extendedLeave,
      tables.extendedLeave,
      contractTypes,
      allowances,
      leaveRulesets,
    ],
  }
  return parts.filter((part) => canonicalJson(pick[part](a)) !== canonicalJson(pick[part](b)))
}
