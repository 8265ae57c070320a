import { compareValues } from '../lists.ts'
import { must } from '../must.ts'
import type { StaffedContract, StaffFacts, StaffYear } from './facts.ts'
import type { Report, ReportColumn, ReportRow } from './report.ts'

const parts = ['basic', 'allowances', 'leave', 'ni', 'pension'] as const
const partNames: Record<(typeof parts)[number], string> = {
  basic: 'basic',
  allowances: 'allowances',
  leave: 'leave',
  ni: 'NI',
  pension: 'pension',
}

const words = [
  { key: 'post', title: 'Post', of: (one: StaffedContract) => one.post },
  { key: 'type', title: 'Contract type', of: (one: StaffedContract) => one.type },
  { key: 'point', title: 'Point', of: (one: StaffedContract) => one.point },
  { key: 'works', title: 'FTE or hours', of: (one: StaffedContract) => one.works },
  { key: 'start', title: 'From', of: (one: StaffedContract) => one.startDate },
  { key: 'end', title: 'To', of: (one: StaffedContract) => one.endDate },
] as const

/** What a contract costs in a year; null where part of it could not be calculated. */
export function costOfYear(year: StaffYear): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || year[part] === null ? null : sum + year[part]), 0)
}

/** Fewer contracts than this are not told apart where nobody is named: a code that one person has would be their pay. */
const fewest = 3
const fewWords = 'What fewer than three contracts cost is shown to those who may see staff.'

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

/** The codes with those of few contracts together; with them the smallest of the others, where they alone would be few still. */
function withoutFew(byCode: ReadonlyMap<string, StaffedContract[]>): [string, StaffedContract[]][] {
  const codes = [...byCode].sort(([a, some], [b, others]) => others.length - some.length || compareValues(a, b))
  const apart = codes.filter(([, own]) => own.length >= fewest)
  const together = codes.slice(apart.length)
  const count = (): number => together.reduce((sum, [, own]) => sum + own.length, 0)
  while (together.length && count() < fewest && apart.length) together.push(must(apart.pop()))
  return together.length ? [...apart, ['Other payroll codes', together.flatMap(([, own]) => own)]] : apart
}

/** Contracts by payroll code, with what each costs in each year (rules.md §19). Sums are over what could be calculated. */
export function staffing(title: string, { years, contracts, isNamed, notCalculated }: StaffFacts): Report {
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
  const tellsCost = isNamed || !contracts.length || contracts.length >= fewest
  const figures = (own: readonly StaffedContract[]): (number | null)[] =>
    years.flatMap((_year, index) => {
      const all = own.map((one) => must(one.years[index]))
      const sum = (pick: (year: StaffYear) => number | null): number | null => {
        const known = all.flatMap((year) => pick(year) ?? [])
        return own.length && !known.length ? null : known.reduce((total, value) => total + value, 0)
      }
      const fte = sum((year) => year.fte)
      const costs = [...parts.map((part) => sum((year) => year[part])), sum(costOfYear)]
      return [fte === null ? null : Math.round(fte * 100) / 100, ...(tellsCost ? costs : costs.map(() => null))]
    })
  const missingOf = (own: readonly StaffedContract[]): number =>
    own.filter((one) => one.years.some((year) => costOfYear(year) === null)).length
  const lead = (own: readonly StaffedContract[]): ReportRow['values'] => (isNamed ? words.map(() => null) : [own.length])
  const sumRow = (kind: ReportRow['kind'], label: string, own: readonly StaffedContract[]): ReportRow => ({
    kind,
    label,
    level: 0,
    values: [...lead(own), ...figures(own)],
    drill: null,
    missing: missingOf(own),
  })
  const rows = [...(isNamed ? grouped(contracts, ({ payrollCode }) => payrollCode) : withoutFewOfEach(contracts))]
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
      ...(tellsCost
        ? []
        : [{ kind: 'Empty' as const, label: fewWords, level: 0, values: columns.map(() => null), drill: null, missing: 0 }]),
    ],
    notCalculated,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}
