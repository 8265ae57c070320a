import { emptyLessonYear } from '../../../../domain/budget/items/pupilNumbers.ts'
import { type CountedRow, countPupils, type PupilRow, rollUpPupilCounts } from '../../../../domain/calculation/nonStaffing/pupils.ts'
import { getLookupName } from '../../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../../../domain/values/format.ts'
import type { BudgetCall } from '../../../core/calls/context.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { loadItems } from '../../../streams/budget/items.ts'

const five = (counts: readonly (number | null)[]): (number | null)[] => Array.from({ length: 5 }, (_unused, year) => counts[year] ?? null)

/** A row as the API shows it. Numbers that roll up from the year before are filled in; `typed` lists the columns that were typed. */
function shownRow(row: PupilRow, counted: CountedRow | undefined) {
  const counts = counted?.counts
  return {
    ...row,
    phase: row.phase ?? counted?.phase ?? null,
    before: counts ? assertDefined(counts[0]).count : row.before,
    years: counts ? five(counts.slice(1).map((one) => one.count)) : five(row.years),
    typed: counts ? counts.map((one) => one.isTyped) : [],
  }
}

/**
 * The calculated totals: one for each phase with pupils, and one of all pupils on roll. Places do not count as pupils
 * of a year group.
 */
function calculateTotals(counted: readonly CountedRow[]) {
  const phases = [...new Set(counted.map((row) => row.phase))].sort((a, b) => a - b)
  const total = (phase: number | null, description: string) => {
    const [before = null, ...years] = countPupils(counted, phase === null ? null : [phase])
    const typed: boolean[] = []
    return { kind: 'Total' as const, phase, yearGroup: null, description, before, years: five(years), typed }
  }
  return counted.length
    ? [...phases.map((phase) => total(phase, assertDefined(getLookupName('pupilPhases', phase)))), total(null, 'All pupils')]
    : []
}

export async function presentPupils(tx: OrganisationTx, { organisationId, budget }: BudgetCall) {
  const [pupils] = await loadItems({ tx, organisationId, budgetId: budget.id }, 'pupils')
  const rows = pupils?.item.rows ?? []
  const counted = rollUpPupilCounts(rows, budget.head.numberOfYears)
  return {
    id: pupils?.id ?? null,
    version: pupils?.version ?? null,
    created: pupils ? dayInLondon(pupils.created) : null,
    lessons: Array.from({ length: 5 }, (_unused, year) => pupils?.item.lessons?.[year] ?? emptyLessonYear),
    said: (pupils?.item.said ?? []).map(({ yearGroup, october, count }) => ({ yearGroup, october, count })),
    rows: [
      ...rows.map((row, index) =>
        shownRow(
          row,
          counted.find((one) => one.index === index),
        ),
      ),
      ...calculateTotals(counted),
    ],
  }
}
