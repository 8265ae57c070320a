import { findPhase } from '../calculation/nonStaffing/pupils.ts'
import { fundingPhase as phases } from '../lookups/lookupIds.ts'
import { lookups } from '../lookups/lookups.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { addDecimals } from '../values/decimals.ts'
import { toMidSentence } from '../words/terms.ts'
import type { BudgetPupils, PupilFacts } from './facts.ts'
import { formatLineFilter, type Report, type ReportColumn, type ReportRow } from './report.ts'

/** A count of pupils; null if it is unknown for any school that has the row. */
type Count = number | null

const hasRows = ({ rows }: BudgetPupils): boolean => rows.length > 0
/** Whether a school has entered pupil numbers, not only high-needs places. */
const hasPupils = ({ rows }: BudgetPupils): boolean => rows.some((row) => row.phase !== phases.highNeeds)

/** Builds the report on pupil numbers: year groups by phase with totals, high-needs places and all pupils (rules.md §13 and §19). */
export function buildPupilNumbersReport(title: string, { spread, octobers, budgets }: PupilFacts): Report {
  const byLocation = spread === 'locations'
  const locations = byLocation ? [...new Map(budgets.map(({ location }) => [location.id, location])).values()] : []
  const columns: ReportColumn[] = byLocation
    ? [
        ...locations.map(
          (location): ReportColumn => ({ key: formatLineFilter({ location: String(location.id) }), title: location.name, type: 'number' }),
        ),
        { key: '', title: 'All', type: 'number' },
      ]
    : octobers.map((year): ReportColumn => ({ key: `october ${year}`, title: `October ${year}`, type: 'number' }))
  const columnsOf = (knows: (budget: BudgetPupils) => boolean, pick: (budget: BudgetPupils, october: number) => Count[]): Count[] => {
    // The year groups of a school without pupil numbers are unknown, so a sum that left the school out would be too small (rules.md §13).
    const over = (pupilsOfBudgets: readonly BudgetPupils[], october: number): Count =>
      pupilsOfBudgets.every(knows) ? sumCounts(pupilsOfBudgets.flatMap((budget) => pick(budget, october))) : null
    if (!byLocation) return octobers.map((october) => over(budgets, october))
    const october = assertDefined(octobers[0])
    return [
      ...locations.map((location) =>
        over(
          budgets.filter((budget) => budget.location.id === location.id),
          october,
        ),
      ),
      over(budgets, october),
    ]
  }
  const counts = ({ rows, before }: BudgetPupils, october: number, isOwn: (yearGroup: number | null, phase: number) => boolean): Count[] =>
    rows.filter((row) => isOwn(row.yearGroup, row.phase)).map((row) => row.counts[october - before]?.count ?? null)
  const row = (
    kind: ReportRow['kind'],
    {
      label,
      level,
      isOwn,
      knows = hasPupils,
    }: {
      label: string
      level: number
      isOwn: (yearGroup: number | null, phase: number) => boolean
      knows?: (budget: BudgetPupils) => boolean
    },
  ): ReportRow => ({
    kind,
    label,
    level,
    values: columnsOf(knows, (budget, october) => counts(budget, october, isOwn)),
    drill: null,
    missing: 0,
  })
  const has = (isOwn: (yearGroup: number | null, phase: number) => boolean): boolean =>
    budgets.some((budget) => budget.rows.some((one) => isOwn(one.yearGroup, one.phase)))
  const sections = lookups.pupilPhases.flatMap(({ id, name }) => {
    const inPhase = (_group: number | null, phase: number): boolean => phase === id
    if (!has(inPhase)) return []
    const groups = lookups.pupilYearGroups.filter(
      (group) => findPhase(group.id) === id && has((groupId, phase) => groupId === group.id && phase === id),
    )
    const others = has((groupId, phase) => phase === id && !groups.some((group) => group.id === groupId))
    const knows = id === phases.highNeeds ? hasRows : hasPupils
    const isOther = (groupId: number | null, phase: number): boolean => phase === id && !groups.some((group) => group.id === groupId)
    return [
      { kind: 'SectionHeader' as const, label: name, level: 0, values: columns.map(() => null), drill: null, missing: 0 },
      ...groups.map((group) =>
        row('Data', { label: group.name, level: 1, isOwn: (groupId, phase) => groupId === group.id && phase === id, knows }),
      ),
      ...(others
        ? [row('Data', { label: id === phases.highNeeds ? 'Places' : 'Not by year group', level: 1, isOwn: isOther, knows })]
        : []),
      row('SectionFooter', { label: `Total ${toMidSentence(name)}`, level: 0, isOwn: inPhase, knows }),
    ]
  })
  return {
    title,
    columns,
    rows: [...sections, row('Total', { label: 'All pupils', level: 0, isOwn: (_group, phase) => phase !== phases.highNeeds })],
    notCalculated: 0,
    bases: columns.map(() => ({ income: null, pupils: null })),
  }
}

/** Adds decimals exactly; null if any count is unknown. A school that does not have the row counts as 0. */
function sumCounts(counts: readonly Count[]): Count {
  const known = counts.flatMap((count) => count ?? [])
  return known.length === counts.length ? addDecimals(known) : null
}
