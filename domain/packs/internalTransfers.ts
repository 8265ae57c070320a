import { calculatePercentOfBase } from '../monitoring/figures.ts'
import type { LineSum } from '../reports/facts.ts'
import { identifyTotal } from './figureReferences.ts'
import type { PackFigures, PackLine } from './pack.ts'

type Transfer = NonNullable<LineSum['transfer']>

const names: Record<Transfer, string> = { gagPool: 'GAG pooling', topSlice: 'Top slices' }

/** Payments between schools that can be separated from income and expenditure. */
export interface InternalTransfers {
  /** The kind of payment, by budget codes that have no other postings. */
  codes: ReadonlyMap<number, Transfer>
  kinds: readonly Transfer[]
  separation: NonNullable<PackFigures['transfers']>
}

export function findInternalTransfers(lines: readonly LineSum[]): InternalTransfers {
  const internal = lines.filter(({ transfer }) => transfer !== null)
  const others = new Set(lines.filter(({ transfer }) => transfer === null).map(({ codeId }) => codeId))
  const codes = new Map(
    internal.flatMap(({ codeId, transfer }) => (transfer && codeId !== null && !others.has(codeId) ? [[codeId, transfer]] : [])),
  )
  const kinds = (['gagPool', 'topSlice'] as const).filter((kind) => internal.some(({ transfer }) => transfer === kind))
  // Transfers that cancel each other out on a code, as pools do, may stay there, because they add nothing to income or expenditure.
  const mixed = new Map<number | null, number>()
  for (const { codeId, amounts } of internal)
    if (others.has(codeId))
      mixed.set(
        codeId,
        amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), mixed.get(codeId) ?? 0),
      )
  const isMixed = [...mixed.values()].some((sum) => sum !== 0)
  return { codes, kinds, separation: kinds.length ? (isMixed ? 'partly' : 'apart') : 'none' }
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

const emptyLine: PackLine = {
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

/** Fields that do not change sign between income and expenditure, because a favourable variance is always positive. */
const sameSignFields = new Set<keyof PackLine>(['variance', 'forecastVariance', 'missing'])

/** Adds lines to a line, or subtracts them. @param eitherSign the sign for `sameSignFields` */
function addLines(to: PackLine, others: readonly PackLine[], { sign, eitherSign = sign }: { sign: 1 | -1; eitherSign?: 1 | -1 }): PackLine {
  const total = (field: (typeof amounts)[number]): number =>
    others.reduce((sum, one) => sum + (sameSignFields.has(field) ? eitherSign : sign) * (one[field] ?? 0), to[field] ?? 0)
  const combinedLine = { ...to, ...Object.fromEntries(amounts.map((field) => [field, total(field)])) }
  return {
    ...combinedLine,
    variancePercent: to.variancePercent === null ? null : calculatePercentOfBase(combinedLine.variance, combinedLine.budgetToDate),
  }
}

/**
 * Moves payments between schools out of income and out of expenditure, into one line for each kind of payment. In the sum of all schools
 * these lines are zero (rules.md §19).
 */
export function separateInternalTransfers(lines: readonly PackLine[], { codes, kinds }: InternalTransfers): PackLine[] {
  if (!kinds.length) return [...lines]
  let isIncome = false
  let taken: PackLine[] = []
  const [received, paid]: [PackLine[], PackLine[]] = [[], []]
  const kept = lines.flatMap((line): PackLine[] => {
    const total = identifyTotal(line)
    if (line.kind === 'SectionHeader') {
      isIncome = line.description === 'Income'
      taken = []
    }
    if (line.kind === 'Data' && line.budgetCodeId !== null && codes.has(line.budgetCodeId)) {
      taken.push(line)
      ;(isIncome ? received : paid).push(line)
      return []
    }
    if (line.kind === 'SectionFooter') return [addLines(line, taken, { sign: -1 })]
    return [total === 'expenditure' ? addLines(line, paid, { sign: -1 }) : line]
  })
  const between = kinds.map((kind): PackLine => {
    const ofKind = (some: readonly PackLine[]): PackLine[] => some.filter((one) => codes.get(one.budgetCodeId ?? -1) === kind)
    return addLines(addLines({ ...emptyLine, description: names[kind] }, ofKind(received), { sign: 1 }), ofKind(paid), {
      sign: -1,
      eitherSign: 1,
    })
  })
  const footer = addLines({ ...emptyLine, kind: 'SectionFooter', description: 'Total between schools' }, between, { sign: 1 })
  const at = kept.findIndex((line) => identifyTotal(line) === 'inYear')
  return [
    ...kept.slice(0, at),
    { ...emptyLine, kind: 'SectionHeader', description: 'Between schools' },
    ...between,
    footer,
    ...kept.slice(at),
  ]
}
