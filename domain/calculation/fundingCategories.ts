import { phase } from './phases.ts'

/** What the numbers of a category are, when nobody types them. */
type Counted = { phases: readonly number[] } | 'once' | 'typed' | 'top-up'

/** What schools are funded for, as local authorities have rates of it. */
interface FundingCategory {
  id: number
  name: string
  counted: Counted
  /** The phases whose roll it is measured against. */
  roll: readonly number[]
  /** It counts towards the minimum per-pupil level: premises, split sites, growth and what is not of the schools block do not. */
  isComparable: boolean
  /** Every pupil of the phase counts, so a year that is not typed takes the October count. */
  isBasic: boolean
  /** Its numbers are pupils, whose share of the roll stays; premises, sparsity and sums of one's own are not. */
  isPupilLed: boolean
}

const primary = [phase.primary]
const secondary = [phase.keyStage3, phase.keyStage4]
const all = [phase.primary, phase.keyStage3, phase.keyStage4]

function category(
  id: number,
  name: string,
  counted: Counted,
  roll: readonly number[],
  ...marks: ('basic' | 'comparable' | 'pupils')[]
): FundingCategory {
  return {
    id,
    name,
    counted,
    roll,
    isBasic: marks.includes('basic'),
    isComparable: marks.includes('comparable'),
    isPupilLed: marks.includes('pupils'),
  }
}

/** The categories of the national funding formula, and what stands beside it (rules.md §12). */
export const fundingCategories: readonly FundingCategory[] = [
  category(1, 'Basic entitlement: primary', { phases: primary }, primary, 'basic', 'comparable', 'pupils'),
  category(2, 'Basic entitlement: key stage 3', { phases: [phase.keyStage3] }, [phase.keyStage3], 'basic', 'comparable', 'pupils'),
  category(3, 'Basic entitlement: key stage 4', { phases: [phase.keyStage4] }, [phase.keyStage4], 'basic', 'comparable', 'pupils'),
  category(4, 'Free school meals: primary', 'typed', primary, 'comparable', 'pupils'),
  category(5, 'Free school meals: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(6, 'FSM6: primary', 'typed', primary, 'comparable', 'pupils'),
  category(7, 'FSM6: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(8, 'IDACI band A: primary', 'typed', primary, 'comparable', 'pupils'),
  category(9, 'IDACI band A: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(10, 'IDACI band B: primary', 'typed', primary, 'comparable', 'pupils'),
  category(11, 'IDACI band B: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(12, 'IDACI band C: primary', 'typed', primary, 'comparable', 'pupils'),
  category(13, 'IDACI band C: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(14, 'IDACI band D: primary', 'typed', primary, 'comparable', 'pupils'),
  category(15, 'IDACI band D: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(16, 'IDACI band E: primary', 'typed', primary, 'comparable', 'pupils'),
  category(17, 'IDACI band E: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(18, 'IDACI band F: primary', 'typed', primary, 'comparable', 'pupils'),
  category(19, 'IDACI band F: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(20, 'Low prior attainment: primary', 'typed', primary, 'comparable', 'pupils'),
  category(21, 'Low prior attainment: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(22, 'English as an additional language: primary', 'typed', primary, 'comparable', 'pupils'),
  category(23, 'English as an additional language: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(24, 'Mobility: primary', 'typed', primary, 'comparable', 'pupils'),
  category(25, 'Mobility: secondary', 'typed', secondary, 'comparable', 'pupils'),
  category(26, 'Lump sum: primary', 'once', primary, 'comparable'),
  category(27, 'Lump sum: secondary', 'once', secondary, 'comparable'),
  category(28, 'Sparsity: primary', 'typed', primary, 'comparable'),
  category(29, 'Sparsity: secondary', 'typed', secondary, 'comparable'),
  category(30, 'Split sites', 'typed', all),
  category(31, 'Business rates', 'typed', all),
  category(32, 'PFI', 'typed', all),
  category(33, 'Minimum per-pupil level: primary', 'top-up', primary),
  category(34, 'Minimum per-pupil level: secondary', 'top-up', secondary),
  category(35, 'High needs place', { phases: [phase.highNeeds] }, [phase.highNeeds]),
  category(36, 'Early years hour', 'typed', all),
  category(37, 'Sixth form', { phases: [phase.sixthForm] }, [phase.sixthForm], 'pupils'),
  category(38, 'Pupil premium: primary', 'typed', primary, 'pupils'),
  category(39, 'Pupil premium: secondary', 'typed', secondary, 'pupils'),
  category(40, 'Other', 'typed', all),
]

const byId = new Map(fundingCategories.map((one) => [one.id, one]))

/** A category by its id; what is none of the list is like any other sum. */
export function categoryOf(id: number): FundingCategory {
  return byId.get(id) ?? fundingCategories.at(-1)!
}
