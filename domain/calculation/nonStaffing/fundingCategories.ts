import { fundingPhase } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'

/**
 * How a category's numbers are found if none are entered: the pupils of some phases are counted, the number is 1 (`once`), the number must
 * be entered (`typed`), or the category is a top-up.
 */
type CountingRule = { phases: readonly number[] } | 'once' | 'typed' | 'top-up'

/** The groups of a new prediction, in order. */
export const fundingGroups = ['Pupils', 'Additional needs', 'School and premises', 'Minimum per-pupil level', 'Other grants'] as const
type FundingGroup = (typeof fundingGroups)[number]

/** A category of school funding, as local authorities set rates for it. */
interface FundingCategory {
  id: number
  name: string
  /** The group in which a new prediction lists the category; null if it does not. */
  group: FundingGroup | null
  counted: CountingRule
  /** The phases whose pupils on roll the category's numbers scale with. */
  roll: readonly number[]
  /**
   * Whether the category counts towards the minimum per-pupil level. Premises, split sites, growth and funding outside the schools block do
   * not.
   */
  isComparable: boolean
  /** Whether every pupil of the phase counts, so that a year without an entered number uses the October count. */
  isBasic: boolean
  /** A school is offered this category if it has pupils of one of these phases; null offers it to every school. */
  offeredTo: readonly number[] | null
  /** Whether the category's numbers are pupils, which scale with the roll. Premises, sparsity and single amounts do not. */
  isPupilLed: boolean
}

const primary = [fundingPhase.primary]
const secondary = [fundingPhase.keyStage3, fundingPhase.keyStage4]
const all = [fundingPhase.primary, fundingPhase.keyStage3, fundingPhase.keyStage4]

type CategoryRow = readonly [
  id: number,
  name: string,
  group: FundingGroup | null,
  counted: CountingRule,
  roll: readonly number[],
  ...marks: ('basic' | 'comparable' | 'earlyYears' | 'pupils')[],
]

const table: readonly CategoryRow[] = [
  [1, 'Basic entitlement: primary', 'Pupils', { phases: primary }, primary, 'basic', 'comparable', 'pupils'],
  [
    2,
    'Basic entitlement: key stage 3',
    'Pupils',
    { phases: [fundingPhase.keyStage3] },
    [fundingPhase.keyStage3],
    'basic',
    'comparable',
    'pupils',
  ],
  [
    3,
    'Basic entitlement: key stage 4',
    'Pupils',
    { phases: [fundingPhase.keyStage4] },
    [fundingPhase.keyStage4],
    'basic',
    'comparable',
    'pupils',
  ],
  [4, 'Free school meals: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [5, 'Free school meals: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [6, 'FSM6: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [7, 'FSM6: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [8, 'IDACI band A: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [9, 'IDACI band A: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [10, 'IDACI band B: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [11, 'IDACI band B: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [12, 'IDACI band C: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [13, 'IDACI band C: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [14, 'IDACI band D: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [15, 'IDACI band D: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [16, 'IDACI band E: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [17, 'IDACI band E: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [18, 'IDACI band F: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [19, 'IDACI band F: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [20, 'Low prior attainment: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [21, 'Low prior attainment: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [22, 'English as an additional language: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [23, 'English as an additional language: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [24, 'Mobility: primary', 'Additional needs', 'typed', primary, 'comparable', 'pupils'],
  [25, 'Mobility: secondary', 'Additional needs', 'typed', secondary, 'comparable', 'pupils'],
  [26, 'Lump sum: primary', 'School and premises', 'once', primary, 'comparable'],
  [27, 'Lump sum: secondary', 'School and premises', 'once', secondary, 'comparable'],
  [28, 'Sparsity: primary', 'School and premises', 'typed', primary, 'comparable'],
  [29, 'Sparsity: secondary', 'School and premises', 'typed', secondary, 'comparable'],
  [30, 'Split sites', 'School and premises', 'typed', all],
  [31, 'Business rates', 'School and premises', 'typed', all],
  [32, 'PFI', 'School and premises', 'typed', all],
  [33, 'Minimum per-pupil level: primary', 'Minimum per-pupil level', 'top-up', primary],
  [34, 'Minimum per-pupil level: secondary', 'Minimum per-pupil level', 'top-up', secondary],
  [35, 'High needs place', 'Other grants', { phases: [fundingPhase.highNeeds] }, [fundingPhase.highNeeds]],
  [36, 'Early years hour', 'Other grants', 'typed', all, 'earlyYears'],
  [37, 'Sixth form', 'Other grants', { phases: [fundingPhase.sixthForm] }, [fundingPhase.sixthForm], 'pupils'],
  [38, 'Pupil premium: primary', 'Other grants', 'typed', primary, 'pupils'],
  [39, 'Pupil premium: secondary', 'Other grants', 'typed', secondary, 'pupils'],
  [40, 'Other', null, 'typed', all],
]

/** The categories of the national funding formula, and funding outside it (rules.md §12). */
export const fundingCategories: readonly FundingCategory[] = table.map(([id, name, group, counted, roll, ...marks]) => ({
  id,
  name,
  group,
  counted,
  roll,
  offeredTo: marks.includes('earlyYears') ? [fundingPhase.earlyYears] : roll === all ? null : roll,
  isBasic: marks.includes('basic'),
  isComparable: marks.includes('comparable'),
  isPupilLed: marks.includes('pupils'),
}))

const byId = new Map(fundingCategories.map((one) => [one.id, one]))

/** Finds a category by id; an unknown id counts as Other. */
export function findFundingCategory(id: number): FundingCategory {
  return byId.get(id) ?? assertDefined(fundingCategories.at(-1))
}
