import { compareValues } from '../lists/lists.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { StaffedContract, StaffFacts, StaffYear } from './facts.ts'
import { costOfYear, fewest, peopleOf, peoplePaid } from './fewPeople.ts'
import type { Report, ReportColumn, ReportRow } from './report.ts'

const parts = ['basic', 'allowances', 'leave', 'ni', 'pension'] as const
const partNames: Record<(typeof parts)[number], string> = {
  basic: 'basic',
  allowances: 'allowances',
  leave: 'leave',
  ni: 'NI',
  pension: 'pension',
}

/** What is told of a contract where people are named; of which school it is where there are several. */
const wordsOf = [
  { key: 'location', title: 'School', of: (one: StaffedContract) => one.location },
  { key: 'post', title: 'Post', of: (one: StaffedContract) => one.post },
  { key: 'type', title: 'Contract type', of: (one: StaffedContract) => one.type },
  { key: 'point', title: 'Point', of: (one: StaffedContract) => one.point },
  { key: 'works', title: 'FTE or hours', of: (one: StaffedContract) => one.works },
  { key: 'start', title: 'From', of: (one: StaffedContract) => one.startDate },
  { key: 'end', title: 'To', of: (one: StaffedContract) => one.endDate },
] as const

const hidden = 'not shown'
const fewWords = 'What fewer than three people cost in a year, and what would give it away, is shown to those who may see staff.'

const grouped = (contracts: readonly StaffedContract[], by: (one: StaffedContract) => string): Map<string, StaffedContract[]> => {
  const groups = new Map<string, StaffedContract[]>()
  for (const one of contracts) {
    const own = groups.get(by(one))
    if (own) own.push(one)
    else groups.set(by(one), [one])
  }
  return groups
}

/**
 * The codes as they are told where nobody is named: in each budget by themselves, so that what a report has more than the same one without a
 * budget is never the few of that budget.
 */
function withoutFewOfEach(contracts: readonly StaffedContract[]): Map<string, StaffedContract[]> {
  const told = new Map<string, StaffedContract[]>()
  for (const ofBudget of grouped(contracts, ({ budgetId }) => budgetId).values())
    for (const [code, own] of withoutFew(grouped(ofBudget, ({ payrollCode }) => payrollCode)))
      told.set(code, [...(told.get(code) ?? []), ...own])
  return told
}

/** The codes with those of few people together; with them the smallest of the others, where they alone would be few still. */
function withoutFew(byCode: ReadonlyMap<string, StaffedContract[]>): [string, StaffedContract[]][] {
  const codes = [...byCode].sort(([a, some], [b, others]) => others.length - some.length || compareValues(a, b))
  const apart = codes.filter(([, own]) => peopleOf(own) >= fewest)
  const together = codes.filter(([, own]) => peopleOf(own) < fewest)
  const count = (): number => peopleOf(together.flatMap(([, own]) => own))
  while (together.length && count() < fewest && apart.length) together.push(assertDefined(apart.pop()))
  return together.length ? [...apart, ['Other payroll codes', together.flatMap(([, own]) => own)]] : apart
}

/**
 * Which years of which rows are not told where nobody is named, as `year row`: in each budget those in which few are paid, and with them the
 * smallest of the others, where what all contracts come to would give the few away.
 */
function hiddenOf(rows: ReadonlyMap<string, readonly StaffedContract[]>, years: readonly string[]): Set<string> {
  const found = new Set<string>()
  const budgetIds = new Set([...rows.values()].flat().map(({ budgetId }) => budgetId))
  for (const budgetId of budgetIds) {
    const own = [...rows].map(([code, contracts]) => ({ code, contracts: contracts.filter((one) => one.budgetId === budgetId) }))
    for (const year of years.keys()) {
      const paid = own
        .map((row) => ({ ...row, people: peoplePaid(row.contracts, year) }))
        .filter(({ people }) => people > 0)
        .sort((a, b) => b.people - a.people || compareValues(a.code, b.code))
      const told = paid.filter(({ people }) => people >= fewest)
      const few = paid.filter(({ people }) => people < fewest)
      while (
        few.length &&
        told.length &&
        peoplePaid(
          few.flatMap((one) => one.contracts),
          year,
        ) < fewest
      )
        few.push(assertDefined(told.pop()))
      for (const { code } of few) found.add(`${year} ${code}`)
    }
  }
  return found
}

/** Contracts by payroll code, with what each costs in each year (rules.md §19). Sums are over what could be calculated. */
export function staffing(title: string, { years, contracts, isNamed, notCalculated }: StaffFacts): Report {
  const isSeveral = new Set(contracts.map(({ location }) => location)).size > 1
  const words = wordsOf.filter(({ key }) => key !== 'location' || isSeveral)
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
  const told = isNamed ? grouped(contracts, ({ payrollCode }) => payrollCode) : withoutFewOfEach(contracts)
  const isHidden = isNamed ? new Set<string>() : hiddenOf(told, years)
  const paysFew = (year: number): boolean => !isNamed && peoplePaid(contracts, year) > 0 && peoplePaid(contracts, year) < fewest
  /** @param code of a row; null: the row of all of them */
  const figures = (own: readonly StaffedContract[], code: string | null = null): ReportRow['values'] =>
    years.flatMap((_year, index): ReportRow['values'] => {
      const all = own.map((one) => assertDefined(one.years[index]))
      const sum = (pick: (year: StaffYear) => number | null): number | null => {
        const known = all.flatMap((year) => pick(year) ?? [])
        return own.length && !known.length ? null : known.reduce((total, value) => total + value, 0)
      }
      // As it is printed, so that a footer is the exact sum of its rows (rules.md §19).
      const fte = sum((year) => (year.fte === null ? null : Math.round(year.fte * 100)))
      const costs = [...parts.map((part) => sum((year) => year[part])), sum(costOfYear)]
      const isTold = code === null ? !paysFew(index) : !isHidden.has(`${index} ${code}`)
      return [fte === null ? null : fte / 100, ...(isTold ? costs : costs.map(() => hidden))]
    })
  const missingOf = (own: readonly StaffedContract[]): number =>
    own.filter((one) => one.years.some((year) => costOfYear(year) === null)).length
  const lead = (own: readonly StaffedContract[]): ReportRow['values'] => (isNamed ? words.map(() => null) : [own.length])
  const sumRow = (kind: ReportRow['kind'], label: string, own: readonly StaffedContract[]): ReportRow => ({
    kind,
    label,
    level: 0,
    values: [...lead(own), ...figures(own, isNamed || kind === 'Total' ? null : label)],
    drill: null,
    missing: missingOf(own),
  })
  const rows = [...told]
    .sort(([a], [b]) => compareValues(a, b))
    .flatMap(([code, own]): ReportRow[] => {
      if (!isNamed) return [sumRow('Data', code, own)]
      const sorted = [...own].sort(
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
        sumRow('SectionFooter', `Total ${code}`, own),
      ]
    })
  return {
    title,
    columns,
    rows: [
      ...rows,
      { ...sumRow('Total', 'All contracts', contracts), adds: 'data' },
      ...(isHidden.size
        ? [{ kind: 'Empty' as const, label: fewWords, level: 0, values: columns.map(() => null), drill: null, missing: 0 }]
        : []),
    ],
    notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}
