import { compareValues } from '../lists/lists.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { ContractYearCost, StaffFacts, StaffingContract } from './facts.ts'
import { countPeople, countPeoplePaid, minimumPeopleShown, sumYearCost } from './fewPeople.ts'
import type { Report, ReportColumn, ReportRow } from './report.ts'

const parts = ['basic', 'allowances', 'leave', 'ni', 'pension'] as const
const partNames: Record<(typeof parts)[number], string> = {
  basic: 'basic',
  allowances: 'allowances',
  leave: 'leave',
  ni: 'NI',
  pension: 'pension',
}

/** The columns that identify a contract if people are named. The school has a column if there are several schools. */
const contractColumns = [
  { key: 'location', title: 'School', of: (one: StaffingContract) => one.location },
  { key: 'post', title: 'Post', of: (one: StaffingContract) => one.post },
  { key: 'type', title: 'Contract type', of: (one: StaffingContract) => one.type },
  { key: 'point', title: 'Point', of: (one: StaffingContract) => one.point },
  { key: 'works', title: 'FTE or hours', of: (one: StaffingContract) => one.works },
  { key: 'start', title: 'From', of: (one: StaffingContract) => one.startDate },
  { key: 'end', title: 'To', of: (one: StaffingContract) => one.endDate },
] as const

const hidden = 'not shown'
const hiddenSentence =
  'Annual costs of fewer than three people, and figures that would reveal them, are shown only to people who can view staff.'

const groupContracts = (contracts: readonly StaffingContract[], by: (one: StaffingContract) => string): Map<string, StaffingContract[]> => {
  const groups = new Map<string, StaffingContract[]>()
  for (const one of contracts) {
    const group = groups.get(by(one))
    if (group) group.push(one)
    else groups.set(by(one), [one])
  }
  return groups
}

/**
 * Merges payroll codes of a few people, for readers without staffing permissions. Each budget is merged separately, so that comparing the
 * report with one that leaves out a budget reveals nothing.
 */
function mergeFewPeoplePerBudget(contracts: readonly StaffingContract[]): Map<string, StaffingContract[]> {
  const merged = new Map<string, StaffingContract[]>()
  for (const ofBudget of groupContracts(contracts, ({ budgetId }) => budgetId).values())
    for (const [code, codeContracts] of mergeFewPeople(groupContracts(ofBudget, ({ payrollCode }) => payrollCode)))
      merged.set(code, [...(merged.get(code) ?? []), ...codeContracts])
  return merged
}

/**
 * Merges codes of a few people. If these codes have fewer than three people together, the codes with the fewest other people are added
 * until there are three.
 */
function mergeFewPeople(byCode: ReadonlyMap<string, StaffingContract[]>): [string, StaffingContract[]][] {
  const codes = [...byCode].sort(([a, some], [b, others]) => others.length - some.length || compareValues(a, b))
  const apart = codes.filter(([, contracts]) => countPeople(contracts) >= minimumPeopleShown)
  const together = codes.filter(([, contracts]) => countPeople(contracts) < minimumPeopleShown)
  const count = (): number => countPeople(together.flatMap(([, contracts]) => contracts))
  while (together.length && count() < minimumPeopleShown && apart.length) together.push(assertDefined(apart.pop()))
  return together.length ? [...apart, ['Other payroll codes', together.flatMap(([, contracts]) => contracts)]] : apart
}

/**
 * Finds figures to hide from readers without staffing permissions, as `year row`. In each budget these are the years in which a row pays
 * only a few people, and the smallest other rows if the total would reveal the hidden figures.
 */
function findHiddenFigures(rows: ReadonlyMap<string, readonly StaffingContract[]>, years: readonly string[]): Set<string> {
  const found = new Set<string>()
  const budgetIds = new Set([...rows.values()].flat().map(({ budgetId }) => budgetId))
  for (const budgetId of budgetIds) {
    const codesOfBudget = [...rows].map(([code, contracts]) => ({ code, contracts: contracts.filter((one) => one.budgetId === budgetId) }))
    for (const year of years.keys()) {
      const paid = codesOfBudget
        .map((row) => ({ ...row, people: countPeoplePaid(row.contracts, year) }))
        .filter(({ people }) => people > 0)
        .sort((a, b) => b.people - a.people || compareValues(a.code, b.code))
      const largeEnough = paid.filter(({ people }) => people >= minimumPeopleShown)
      const few = paid.filter(({ people }) => people < minimumPeopleShown)
      while (
        few.length &&
        largeEnough.length &&
        countPeoplePaid(
          few.flatMap((one) => one.contracts),
          year,
        ) < minimumPeopleShown
      )
        few.push(assertDefined(largeEnough.pop()))
      for (const { code } of few) found.add(`${year} ${code}`)
    }
  }
  return found
}

/** Builds the report of contracts by payroll code, with yearly costs (rules.md §19). Sums include only what could be calculated. */
export function buildStaffingReport(title: string, { years, contracts, isNamed, notCalculated }: StaffFacts): Report {
  const isSeveral = new Set(contracts.map(({ location }) => location)).size > 1
  const words = contractColumns.filter(({ key }) => key !== 'location' || isSeveral)
  const columns: ReportColumn[] = [
    ...(isNamed
      ? words.map(({ key, title: name }): ReportColumn => ({ key, title: name, type: key === 'start' || key === 'end' ? 'date' : 'text' }))
      : [{ key: 'contracts', title: 'Contracts', type: 'number' as const }]),
    ...years.flatMap((year): ReportColumn[] => [
      { key: `fte ${year}`, title: `${year} FTE`, type: 'number' },
      ...parts.map((part): ReportColumn => ({ key: `${part} ${year}`, title: `${year} ${partNames[part]}`, type: 'money' })),
      { key: `total ${year}`, title: `${year} total`, type: 'money' },
    ]),
  ]
  const contractsByCode = isNamed ? groupContracts(contracts, ({ payrollCode }) => payrollCode) : mergeFewPeoplePerBudget(contracts)
  const isHidden = isNamed ? new Set<string>() : findHiddenFigures(contractsByCode, years)
  const paysFew = (year: number): boolean =>
    !isNamed && countPeoplePaid(contracts, year) > 0 && countPeoplePaid(contracts, year) < minimumPeopleShown
  /** @param code of the row; null for the row of all codes */
  const figures = (rowContracts: readonly StaffingContract[], code: string | null = null): ReportRow['values'] =>
    years.flatMap((_year, index): ReportRow['values'] => {
      const all = rowContracts.map((one) => assertDefined(one.years[index]))
      const sum = (pick: (year: ContractYearCost) => number | null): number | null => {
        const known = all.flatMap((year) => pick(year) ?? [])
        return rowContracts.length && !known.length ? null : known.reduce((total, value) => total + value, 0)
      }
      // FTE is rounded as it is shown, so that a total is the exact sum of the rows above it (rules.md §19).
      const fte = sum((year) => (year.fte === null ? null : Math.round(year.fte * 100)))
      const costs = [...parts.map((part) => sum((year) => year[part])), sum(sumYearCost)]
      const isTold = code === null ? !paysFew(index) : !isHidden.has(`${index} ${code}`)
      return [fte === null ? null : fte / 100, ...(isTold ? costs : costs.map(() => hidden))]
    })
  const missingOf = (rowContracts: readonly StaffingContract[]): number =>
    rowContracts.filter((one) => one.years.some((year) => sumYearCost(year) === null)).length
  const lead = (rowContracts: readonly StaffingContract[]): ReportRow['values'] => (isNamed ? words.map(() => null) : [rowContracts.length])
  const sumRow = (kind: ReportRow['kind'], label: string, rowContracts: readonly StaffingContract[]): ReportRow => ({
    kind,
    label,
    level: 0,
    values: [...lead(rowContracts), ...figures(rowContracts, isNamed || kind === 'Total' ? null : label)],
    drill: null,
    missing: missingOf(rowContracts),
  })
  const rows = [...contractsByCode]
    .sort(([a], [b]) => compareValues(a, b))
    .flatMap(([code, codeContracts]): ReportRow[] => {
      if (!isNamed) return [sumRow('Data', code, codeContracts)]
      const sorted = [...codeContracts].sort(
        (a, b) => compareValues(a.employee, b.employee) || compareValues(a.startDate, b.startDate) || compareValues(a.id, b.id),
      )
      return [
        { kind: 'SectionHeader', label: code, level: 0, values: columns.map(() => null), drill: null, missing: 0 },
        ...sorted.map(
          (one): ReportRow => ({
            kind: 'Data',
            label: one.employee,
            level: 1,
            values: [...words.map(({ of }) => of(one)), ...figures([one])],
            drill: `contract=${one.id}&budget=${one.budgetId}`,
            missing: missingOf([one]),
          }),
        ),
        sumRow('SectionFooter', `Total ${code}`, codeContracts),
      ]
    })
  return {
    title,
    columns,
    rows: [
      ...rows,
      { ...sumRow('Total', 'All contracts', contracts), adds: 'data' },
      ...(isHidden.size
        ? [{ kind: 'Empty' as const, label: hiddenSentence, level: 0, values: columns.map(() => null), drill: null, missing: 0 }]
        : []),
    ],
    notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}
