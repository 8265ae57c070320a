import { z } from 'zod'

/** The most options of one problem. */
const mostOptions = 200
/** The most rules of one problem. */
const mostRules = 200
/** The most years of one problem. */
const mostYears = 5
/** The largest amount, £10 billion: sums of all options and years stay below 2^53, so they are exact. */
const mostPennies = 1_000_000_000_000
/** The largest quantity, so that sums of quantities in ten-thousandths stay exact. */
const mostQuantity = 1_000_000
/** Quantities have at most four decimals. They are compared as whole ten-thousandths. */
export const quantityScale = 10_000

const wholePennies = (field: string) =>
  z
    .int(`${field} must be whole pennies.`)
    .min(-mostPennies, `${field} must be between -1,000,000,000,000 and 1,000,000,000,000 pennies.`)
    .max(mostPennies, `${field} must be between -1,000,000,000,000 and 1,000,000,000,000 pennies.`)

const quantity = (field: string) =>
  z
    .number(`${field} must be a number.`)
    .min(-mostQuantity, `${field} must be between -1,000,000 and 1,000,000.`)
    .max(mostQuantity, `${field} must be between -1,000,000 and 1,000,000.`)
    .refine((value) => Math.round(value * quantityScale) / quantityScale === value, `${field} must have at most four decimals.`)

const optionId = (field: string) =>
  z.string(`${field} is required.`).min(1, `${field} is required.`).max(100, `${field} must have at most 100 characters.`)
const optionIds = z
  .array(optionId('An id'), 'Ids must be a list.')
  .min(1, 'Name at least one option.')
  .max(mostOptions, 'Name each option once.')
const count = z.int('N must be a whole number.').min(0, 'N must be at least 0.').max(mostOptions, `N must be at most ${mostOptions}.`)

/** Something that would save money: what it saves and costs in each year, and how much it hurts. */
const savingsOption = z.object({
  id: optionId('Id'),
  /** How much it hurts, from 0 to 100. */
  pain: z.int('Pain must be a whole number.').min(0, 'Pain must be between 0 and 100.').max(100, 'Pain must be between 0 and 100.'),
  /** Whole pennies by year. Negative in a year in which the option costs money. */
  savings: z.array(wholePennies('Savings'), 'Savings must be a list of whole pennies by year.'),
  /** Whole pennies by year, for example redundancy pay. */
  oneOff: z.array(wholePennies('One-off costs'), 'One-off costs must be a list of whole pennies by year.'),
  /** Quantities that rules add up, for example FTE. A quantity that is not named is 0. */
  quantities: z.record(z.string().max(100, 'The name of a quantity must have at most 100 characters.'), quantity('A quantity')).default({}),
})

const savingsRule = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('atMost'), n: count, ids: optionIds }),
    z.object({ kind: z.literal('atLeast'), n: count, ids: optionIds }),
    z.object({ kind: z.literal('notBoth'), ids: optionIds.length(2, 'Name exactly two options.') }),
    z.object({ kind: z.literal('onlyWith'), id: optionId('Id'), with: optionId('With') }),
    z.object({
      kind: z.literal('sumAtMost'),
      quantity: z
        .string('Quantity is required.')
        .min(1, 'Quantity is required.')
        .max(100, 'Quantity must have at most 100 characters.')
        // zod drops a field of this name from `quantities`, because it could replace an object's prototype. The sum would always be 0.
        .refine((name) => name !== '__proto__', 'Give the quantity a name other than __proto__.'),
      value: quantity('Value'),
      ids: optionIds,
    }),
  ],
  'Kind must be atMost, atLeast, notBoth, onlyWith or sumAtMost.',
)

export type SavingsOption = z.infer<typeof savingsOption>
export type SavingsRule = z.infer<typeof savingsRule>

/** A problem of rules.md §22: options, the rules that a plan must meet, and the saving wanted in each year. */
export const savingsProblem = z
  .object({
    options: z.array(savingsOption, 'Options must be a list.').max(mostOptions, `There can be at most ${mostOptions} options.`),
    rules: z.array(savingsRule, 'Rules must be a list.').max(mostRules, `There can be at most ${mostRules} rules.`),
    /** Whole pennies by year. The number of targets is the number of years. */
    targets: z
      .array(wholePennies('Targets'), 'Targets must be a list of whole pennies by year.')
      .min(1, 'Give a target for at least one year.')
      .max(mostYears, `There can be at most ${mostYears} years.`),
  })
  .superRefine(({ options, rules, targets }, context) => {
    const refuse = (path: (string | number)[], message: string): void => context.addIssue({ code: 'custom', path, message })
    const areYearsKnown = targets.length > 0 && targets.length <= mostYears
    const ids = new Set<string>()
    for (const [index, option] of options.entries()) {
      if (ids.has(option.id)) refuse(['options', index, 'id'], 'Two options have this id. Give each option an id of its own.')
      ids.add(option.id)
      for (const field of ['savings', 'oneOff'] as const)
        if (areYearsKnown && option[field].length !== targets.length)
          refuse(['options', index, field], 'Give one amount for each year. The number of years is the number of targets.')
    }
    for (const [index, rule] of rules.entries()) {
      const checkId = (path: (string | number)[], id: string): void => {
        if (!ids.has(id)) refuse(['rules', index, ...path], 'No option has this id.')
      }
      if (rule.kind === 'onlyWith') {
        checkId(['id'], rule.id)
        checkId(['with'], rule.with)
        if (rule.id === rule.with) refuse(['rules', index, 'with'], 'Name another option.')
        continue
      }
      for (const [at, id] of rule.ids.entries()) {
        checkId(['ids', at], id)
        if (rule.ids.indexOf(id) !== at) refuse(['rules', index, 'ids', at], 'This option is named twice in the rule.')
      }
    }
  })

  .meta({
    id: 'SavingsProblem',
    examples: [
      {
        options: [
          { id: 'lettings', pain: 10, savings: [400_000, 600_000], oneOff: [50_000, 0], quantities: {} },
          { id: 'supply cover', pain: 25, savings: [900_000, 900_000], oneOff: [0, 0], quantities: {} },
          { id: 'one class fewer', pain: 70, savings: [2_100_000, 3_600_000], oneOff: [300_000, 0], quantities: { fte: 1 } },
        ],
        rules: [
          { kind: 'atMost', n: 2, ids: ['lettings', 'supply cover', 'one class fewer'] },
          { kind: 'sumAtMost', quantity: 'fte', value: 1.5, ids: ['one class fewer'] },
        ],
        targets: [1_000_000, 1_200_000],
      },
    ],
  })

export type SavingsProblem = z.infer<typeof savingsProblem>

/** Options that are chosen together. */
export interface SavingsPlan {
  /** The ids of the chosen options, sorted by code unit. */
  plan: string[]
  pain: number
  /** Whole pennies by year: savings less one-off costs. */
  saves: number[]
}

/** A rule or target, by its position in the problem, from 0. */
export interface Obstacle {
  kind: 'rule' | 'target'
  index: number
}

export interface SavingsAnswer {
  /**
   * `proven`: no plan is better. `impossible`: it is proven that there is no plan. `not proven`: there was no time to prove either;
   * `plan` is the best that was found. Time that runs out later does not change the status.
   */
  status: 'proven' | 'impossible' | 'not proven'
  plan: string[]
  /** `null` without a plan. */
  pain: number | null
  /** Empty without a plan. */
  saves: number[]
  /** The next two plans, each leaving out at least one option of each better plan. Fewer if there are no more or time ran out first. */
  next: SavingsPlan[]
  /** If there is no plan: rules and targets that cannot hold together. Without any one, the others can. Empty if time ran out first. */
  conflict: Obstacle[]
  /**
   * If there is no plan: the most that could be saved in each year on its own, under the rules. Empty if no choice meets the rules or time
   * ran out first.
   */
  most: number[]
}
