import { z } from 'zod'
import { findBudgetYearOfDate, type IsoDate, isDate } from '../../values/calendar.ts'
import type { LocationId } from '../../values/ids.ts'

/** What a driver changes in a budget, by the name of its kind. */
export const driverKinds = ['energy', 'supply', 'prices', 'topUp', 'fundingRate', 'intake', 'award', 'pension'] as const
export type DriverKind = (typeof driverKinds)[number]

/**
 * A quantity that a budget rests on and nobody knows. The budget contains `likely`; another value changes it by the difference: percentage
 * points of a pay award or of an employer pension rate, pupils of a year group, per cent of the entries on budget codes.
 */
export interface BudgetDriver {
  id: string
  kind: DriverKind
  name: string
  low: number
  likely: number
  high: number
  /** The contract types of an award or a pension scheme. */
  contractTypeIds: readonly number[]
  /** The budget codes of income or prices. A funding rate has none: it concerns the entries that funding predictions made. */
  budgetCodeIds: readonly number[]
  /** The year group of an intake. */
  yearGroup: number | null
  /** The first day that it concerns; null for the first day of the budget. */
  from: IsoDate | null
  /** Whether the percentage counts again in every later year. */
  perYear: boolean
  /** The locations that it concerns; none for all. */
  locationIds: readonly LocationId[]
}

const staffKinds: readonly DriverKind[] = ['award', 'pension']
export const isStaffDriver = ({ kind }: Pick<BudgetDriver, 'kind'>): boolean => staffKinds.includes(kind)

const codeKinds: readonly DriverKind[] = ['topUp', 'supply', 'energy', 'prices']

export const concernsLocation = ({ locationIds }: Pick<BudgetDriver, 'locationIds'>, id: LocationId): boolean =>
  !locationIds.length || locationIds.includes(id)

/** A driver without a spread never changes the budget. */
export const hasSpread = ({ low, high }: Pick<BudgetDriver, 'low' | 'high'>): boolean => low < high

/** The index of the first budget year that a driver concerns. May lie after the last year. */
export function findFirstYear(
  { from }: Pick<BudgetDriver, 'from'>,
  { firstYear, startMonth }: { firstYear: number; startMonth: number },
): number {
  return from === null ? 0 : Math.max(0, findBudgetYearOfDate(from, startMonth) - firstYear)
}

/** The rules for a driver, each with the field that breaks it. */
export function findDriverProblem(driver: BudgetDriver): { field: keyof BudgetDriver; message: string } | null {
  const { kind, low, likely, high } = driver
  if (low > likely || likely > high) return { field: 'likely', message: 'Likely must be between low and high.' }
  if (kind === 'intake') {
    if (driver.yearGroup === null) return { field: 'yearGroup', message: 'Choose the year group of the intake.' }
    if (low < 0) return { field: 'low', message: 'A number of pupils cannot be below zero.' }
    if (![low, likely, high].every(Number.isInteger)) return { field: 'likely', message: 'Numbers of pupils must be whole numbers.' }
  } else if (low < -50 || high > 100) return { field: low < -50 ? 'low' : 'high', message: 'A percentage must be between -50 and 100.' }
  if (isStaffDriver(driver)) {
    if (!driver.contractTypeIds.length) return { field: 'contractTypeIds', message: 'Choose at least one contract type.' }
    if (driver.from === null) return { field: 'from', message: 'Enter the date from which it applies.' }
    if (low < -20 || high > 50) return { field: low < -20 ? 'low' : 'high', message: 'This percentage must be between -20 and 50.' }
  }
  if (codeKinds.includes(kind) && !driver.budgetCodeIds.length)
    return { field: 'budgetCodeIds', message: 'Choose at least one budget code.' }
  return null
}

const amount = (label: string) =>
  z
    .number(`${label} is required.`)
    .min(-10_000, `${label} is too small.`)
    .max(10_000, `${label} is too large.`)
    .refine((value) => Number(value.toFixed(4)) === value, `${label} can have at most 4 decimals.`)
const ids = z.array(z.number().int()).max(500).default([])

/** A driver sent with a run, instead of the drivers that the organisation keeps. */
export const driverInput = z
  .object({
    id: z
      .string('Id is required.')
      .regex(/^[\w-]{1,40}$/, 'Id can have at most 40 letters, digits and hyphens.')
      .describe('Any id that is unique among the drivers. Drivers are drawn in the order of their ids.'),
    kind: z.enum(driverKinds, 'Kind is not one of the known kinds.'),
    name: z.string('Name is required.').trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
    low: amount('Low').describe('The value that one future in ten is below.'),
    likely: amount('Likely').describe('The value that the budget contains.'),
    high: amount('High').describe('The value that one future in ten is above.'),
    contractTypeIds: ids.describe('The contract types of an award or a pension scheme.'),
    budgetCodeIds: ids.describe('The budget codes of top-up income, supply, energy or other prices.'),
    yearGroup: z.number().int().min(1).max(16).nullable().default(null).describe('The year group of an intake.'),
    from: z.string().refine(isDate, 'Date is not a valid date.').nullable().default(null),
    perYear: z.boolean().default(false).describe('Whether the percentage counts again in every later year.'),
    locationIds: z
      .array(z.int().positive().brand<'LocationId'>())
      .max(500)
      .default([])
      .describe('The locations that it concerns. An empty list means all.'),
  })
  .superRefine((driver, context) => {
    const problem = findDriverProblem(driver)
    if (problem) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message })
  })
