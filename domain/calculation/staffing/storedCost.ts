import { canonicalJson } from '../../values/canonicalJson.ts'
import type { ContractCost, Figure, YearCost } from '../inputs.ts'

/** Run-length encoded monthly figures: a figure that repeats is stored once with its number of months. */
type Runs = (Figure | [figure: Figure, months: number])[]

type StoredYear = { [Name in Exclude<keyof YearCost, 'year' | 'allowances'>]: Runs } & { year: string; allowances: Record<string, Runs> }

/**
 * A costing as it is stored. Pay often stays the same for months, so a figure that repeats is stored once. Earlier versions stored every
 * month; those costings can be read in the same way.
 */
export type StoredCost = Omit<ContractCost, 'years'> & { years: StoredYear[] }

function expandRuns(runs: Runs): Figure[] {
  return runs.flatMap((run) => (Array.isArray(run) ? Array.from<Figure>({ length: run[1] }).fill(run[0]) : [run]))
}

const inEach = <From, To>(byKey: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(byKey).map(([key, value]) => [key, change(value)]))

/**
 * The canonical JSON of a costing, from which its hash is made. Assembled by hand for speed, because a recalculation writes ten thousand.
 */
export const stringifyCanonicalCost = (cost: ContractCost): string => toCostText(cost, monthsText)

/** The JSON of a costing as it is stored. */
export const stringifyCost = (cost: ContractCost): string => toCostText(cost, runsText)

/** Equal months are converted to text only once, which saves time: most people are never on leave, and most pay is basic pay. */
function toCostText({ name, problems, warnings, years }: ContractCost, figures: (months: readonly Figure[]) => string): string {
  const nothing = figures(nothingAllYear)
  const textOfMonths = (months: readonly Figure[]): string => (isSame(months, nothingAllYear) ? nothing : figures(months))
  let text = ''
  for (const { allowances, basic, gross, leavePay, leaveRecovery, ni, pension, year } of years) {
    let named = ''
    for (const key of Object.keys(allowances).sort())
      named += `${named && ','}${JSON.stringify(key)}:${textOfMonths(allowances[key] ?? [])}`
    const basicText = textOfMonths(basic)
    const grossText = isSame(gross, basic) ? basicText : textOfMonths(gross)
    text += `${text && ','}{"allowances":{${named}},"basic":${basicText},"gross":${grossText},"leavePay":${textOfMonths(leavePay)},"leaveRecovery":${textOfMonths(leaveRecovery)},"ni":${textOfMonths(ni)},"pension":${textOfMonths(pension)},"year":${JSON.stringify(year)}}`
  }
  return `{"name":${JSON.stringify(name)},"problems":${canonicalJson(problems)},"warnings":${canonicalJson(warnings)},"years":[${text}]}`
}

const nothingAllYear: readonly Figure[] = Array<Figure>(12).fill(0)

function isSame(one: readonly Figure[], other: readonly Figure[]): boolean {
  if (one.length !== other.length) return false
  for (let month = 0; month < one.length; month++) if (one[month] !== other[month]) return false
  return true
}

function monthsText(months: readonly Figure[]): string {
  return `[${joinFigures(months)}]`
}

/** Figures separated by commas, as JSON and PostgreSQL arrays write them. One `join` allocates far less than concatenation. */
export function joinFigures(months: readonly Figure[]): string {
  return months.includes(null) ? months.map(String).join() : months.join()
}

function runsText(months: readonly Figure[]): string {
  let text = ''
  for (let from = 0, month = 1; month <= months.length; month++) {
    if (months[month] === months[from] && month < months.length) continue
    const figure = `${months[from] ?? null}`
    text += `${text && ','}${month - from === 1 ? figure : `[${figure},${month - from}]`}`
    from = month
  }
  return `[${text}]`
}

export function readStoredCost(stored: StoredCost): ContractCost {
  return {
    ...stored,
    years: stored.years.map((year) => ({
      year: year.year,
      basic: expandRuns(year.basic),
      allowances: inEach(year.allowances, expandRuns),
      leavePay: expandRuns(year.leavePay),
      leaveRecovery: expandRuns(year.leaveRecovery),
      gross: expandRuns(year.gross),
      ni: expandRuns(year.ni),
      pension: expandRuns(year.pension),
    })),
  }
}
