import { percentOf } from '../monitoring/figures.ts'
import type { LineSum } from '../reports/facts.ts'
import type { PackFigures, PackLine } from './pack.ts'
import { totalOf } from './references.ts'

type Transfer = NonNullable<LineSum['transfer']>

const names: Record<Transfer, string> = { gagPool: 'GAG pooling', topSlice: 'Top slices' }

/** What schools pay each other, as far as it can be told apart by its codes. */
export interface BetweenSchools {
  /** Codes to which nothing else is posted. */
  codes: ReadonlyMap<number, Transfer>
  kinds: readonly Transfer[]
  told: NonNullable<PackFigures['transfers']>
}

/** Reads off the lines of several budgets what of them schools pay each other. */
export function betweenSchools(lines: readonly LineSum[]): BetweenSchools {
  const internal = lines.filter(({ transfer }) => transfer !== null)
  const others = new Set(lines.filter(({ transfer }) => transfer === null).map(({ codeId }) => codeId))
  const codes = new Map(
    internal.flatMap(({ codeId, transfer }) => (transfer && codeId !== null && !others.has(codeId) ? [[codeId, transfer]] : [])),
  )
  const kinds = (['gagPool', 'topSlice'] as const).filter((kind) => internal.some(({ transfer }) => transfer === kind))
  // What cancels on the code of other money, as a pool does, raises neither side.
  const mixed = new Map<number | null, number>()
  for (const { codeId, amounts } of internal)
    if (others.has(codeId))
      mixed.set(
        codeId,
        amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), mixed.get(codeId) ?? 0),
      )
  const isMixed = [...mixed.values()].some((sum) => sum !== 0)
  return { codes, kinds, told: kinds.length ? (isMixed ? 'partly' : 'apart') : 'none' }
}

const amounts = [
  'budgetToDate',
  'actualToDate',
  'commitments',
  'variance',
  'fullYearBudget',
  'forecast',
  'forecastVariance',
  'adjustmentToDate',
  'adjustmentOfYear',
  'missing',
] as const

const blank: PackLine = {
  kind: 'Data',
  total: null,
  budgetCodeId: null,
  code: null,
  description: '',
  budgetToDate: 0,
  actualToDate: 0,
  commitments: 0,
  variance: 0,
  variancePercent: null,
  fullYearBudget: 0,
  forecast: 0,
  forecastVariance: 0,
  adjustmentToDate: 0,
  adjustmentOfYear: 0,
  missing: 0,
}

/** What counts alike on every side: favourable variances are positive on both. */
const ofEitherSide = new Set<keyof PackLine>(['variance', 'forecastVariance', 'missing'])

/** A line with others added or taken off. @param eitherSign what is done with what counts alike on every side */
function combined(to: PackLine, others: readonly PackLine[], { sign, eitherSign = sign }: { sign: 1 | -1; eitherSign?: 1 | -1 }): PackLine {
  const of = (field: (typeof amounts)[number]): number =>
    others.reduce((sum, one) => sum + (ofEitherSide.has(field) ? eitherSign : sign) * (one[field] ?? 0), to[field] ?? 0)
  const own = { ...to, ...Object.fromEntries(amounts.map((field) => [field, of(field)])) }
  return { ...own, variancePercent: to.variancePercent === null ? null : percentOf(own.variance, own.budgetToDate) }
}

/**
 * The lines of a pack of several schools with what they pay each other in neither income nor expenditure, but on one line of each kind between
 * them: over the budgets it comes to nothing (rules.md §19).
 */
export function withoutTransfers(lines: readonly PackLine[], { codes, kinds }: BetweenSchools): PackLine[] {
  if (!kinds.length) return [...lines]
  let isIncome = false
  let taken: PackLine[] = []
  const [received, paid]: [PackLine[], PackLine[]] = [[], []]
  const kept = lines.flatMap((line): PackLine[] => {
    const total = totalOf(line)
    if (line.kind === 'SectionHeader') {
      isIncome = line.description === 'Income'
      taken = []
    }
    if (line.kind === 'Data' && line.budgetCodeId !== null && codes.has(line.budgetCodeId)) {
      taken.push(line)
      ;(isIncome ? received : paid).push(line)
      return []
    }
    if (line.kind === 'SectionFooter') return [combined(line, taken, { sign: -1 })]
    return [total === 'expenditure' ? combined(line, paid, { sign: -1 }) : line]
  })
  const between = kinds.map((kind): PackLine => {
    const own = (some: readonly PackLine[]): PackLine[] => some.filter((one) => codes.get(one.budgetCodeId ?? -1) === kind)
    return combined(combined({ ...blank, description: names[kind] }, own(received), { sign: 1 }), own(paid), { sign: -1, eitherSign: 1 })
  })
  const footer = combined({ ...blank, kind: 'SectionFooter', description: 'Total between schools' }, between, { sign: 1 })
  const at = kept.findIndex((line) => totalOf(line) === 'inYear')
  return [...kept.slice(0, at), { ...blank, kind: 'SectionHeader', description: 'Between schools' }, ...between, footer, ...kept.slice(at)]
}
