import type { CalculationInputs, DatedRate } from '../../calculation/inputs.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { IsoDate } from '../../values/calendar.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import { recordFromKeys } from '../../values/keysOf.ts'

/** The parts of the staff costing inputs, in the order in which the bridge changes them. */
export const inputParts = ['payTables', 'awards', 'ni', 'pension', 'other'] as const
export type InputPart = (typeof inputParts)[number]

const payKinds = ['teacherPayScales', 'supportPayScales', 'customTeacherPayScales', 'customSupportPayScales'] as const

/** Returns the inputs without the tables and rates that take effect after a day, for the parts in `frozenParts` only. */
export function freezePartsAfter(inputs: CalculationInputs, day: IsoDate, frozenParts: ReadonlySet<InputPart>): CalculationInputs {
  const cut = <T extends { effectiveDate: IsoDate }>(rows: T[], part: InputPart): T[] =>
    frozenParts.has(part) ? rows.filter((row) => row.effectiveDate <= day) : rows
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

/** Takes the parts in `fromB` from `b` and the rest from `a`. A table, contract type or allowance that only `a` or only `b` has is kept. */
export function mixInputs(a: CalculationInputs, b: CalculationInputs, fromB: ReadonlySet<InputPart>): CalculationInputs {
  const sourceOf = (part: InputPart): CalculationInputs => (fromB.has(part) ? b : a)
  const mergeBoth = <T>(part: InputPart, pick: (inputs: CalculationInputs) => Record<string, T>): Record<string, T> =>
    fromB.has(part) ? { ...pick(a), ...pick(b) } : { ...pick(b), ...pick(a) }
  const pay = recordFromKeys(payKinds, (kind) => sourceOf('payTables').budgetElements[kind])
  const types = new Set([...Object.keys(a.assumptions), ...Object.keys(b.assumptions)])
  const rates = (part: InputPart, type: string, which: 'inflation' | 'erPension'): DatedRate[] =>
    assertDefined(sourceOf(part).assumptions[type] ?? a.assumptions[type] ?? b.assumptions[type])[which]
  return {
    budget: sourceOf('other').budget,
    tables: {
      payScales: mergeBoth('payTables', (inputs) => inputs.tables.payScales),
      nationalInsurance: mergeBoth('ni', (inputs) => inputs.tables.nationalInsurance),
      extendedLeave: mergeBoth('other', (inputs) => inputs.tables.extendedLeave),
    },
    budgetElements: {
      ...pay,
      nationalInsurance: sourceOf('ni').budgetElements.nationalInsurance,
      extendedLeave: sourceOf('other').budgetElements.extendedLeave,
    },
    contractTypes: mergeBoth('other', (inputs) => inputs.contractTypes),
    assumptions: Object.fromEntries(
      [...types].map((type) => [type, { inflation: rates('awards', type, 'inflation'), erPension: rates('pension', type, 'erPension') }]),
    ),
    allowances: mergeBoth('other', (inputs) => inputs.allowances),
    leaveRulesets: mergeBoth('other', (inputs) => inputs.leaveRulesets),
  }
}

/** The parts in which `a` and `b` differ. The number of budget years is ignored; the pay area counts as `other`. */
export function findDifferingParts(a: CalculationInputs, b: CalculationInputs): InputPart[] {
  if (a === b) return []
  const pick: Record<InputPart, (inputs: CalculationInputs) => unknown> = {
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
  return inputParts.filter((part) => canonicalJson(pick[part](a)) !== canonicalJson(pick[part](b)))
}
