import { useMemo } from 'react'
import { displayDate } from '../../domain/values/format.ts'
import { type BudgetId, type LocationId, toBudgetId } from '../../domain/values/ids.ts'
import { trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'
import { Choice } from '../ui/fields/Choice.tsx'

/** A budget at one of its versions; a null version is its current state. */
export interface ComparisonSide {
  budgetId: BudgetId
  version: number | null
}

export interface ComparisonBudget {
  mongoId: BudgetId
  name: string
  locationId: LocationId
  firstYear: number
  numberOfYears: number
}

const keyOf = ({ budgetId, version }: ComparisonSide): string => `${budgetId}@${version ?? ''}`
export function parseComparisonSide(key: string | null): ComparisonSide | null {
  const [budgetId, version] = key?.split('@') ?? []
  return budgetId && /^[0-9a-f]{24}$/.test(budgetId) ? { budgetId: toBudgetId(budgetId), version: version ? Number(version) : null } : null
}

/**
 * Every budget that the user can see, in its current state and at its named versions; for the selected budget, also at
 * the end of each day on which it changed.
 */
export function useComparisonSides() {
  const { locations } = useCoreData()
  const { budgetId } = useSelection()
  const budgets = trpc.budgets.listByLocation.useQuery({ ids: locations.map((one) => one.id), payload: { pageNumber: 1, pageSize: 5000 } })
  const timeline = trpc.moments.timeline.useQuery()
  const groups = useMemo(() => {
    const rows = budgets.data?.rows ?? []
    const openBudget = rows.find((row) => row.mongoId === budgetId)
    const openLocationIds = openBudget ? [openBudget.locationId] : []
    const others = locations.map((one) => one.id).filter((id) => !openLocationIds.includes(id))
    return [...openLocationIds, ...others].flatMap((locationId) => {
      const items = rows
        .filter((row) => row.locationId === locationId && !row.isBeingMade)
        .flatMap((row) => [
          { value: keyOf({ budgetId: row.mongoId, version: null }), label: `${row.name}, now` },
          ...row.moments.map((moment) => ({
            value: keyOf({ budgetId: row.mongoId, version: moment.version }),
            label: `${row.name}, ${moment.name}`,
          })),
          ...(row.mongoId === budgetId
            ? (timeline.data?.days ?? [])
                .filter((day) => !row.moments.some((moment) => moment.version === day.version))
                .slice(0, 60)
                .map((day) => ({
                  value: keyOf({ budgetId: row.mongoId, version: day.version }),
                  label: `${row.name}, end of ${displayDate(day.day)}`,
                }))
            : []),
        ])
      return items.length ? [{ group: locations.find((one) => one.id === locationId)?.name ?? '', items }] : []
    })
  }, [budgets.data, timeline.data, budgetId, locations])
  const budgetOf = (id: string | undefined): ComparisonBudget | undefined => budgets.data?.rows.find((row) => row.mongoId === id)
  return {
    ready: Boolean(budgets.data && timeline.data),
    query: budgets,
    groups,
    budgetOf,
    /** Name of the budget's school. */
    schoolOf: (id: string | undefined): string | undefined => locations.find((one) => one.id === budgetOf(id)?.locationId)?.name,
    /**
     * The side to compare with by default: the budget from which the selected budget was copied, otherwise its latest named version,
     * otherwise its first day.
     */
    suggestion: (): ComparisonSide | null => {
      const openBudget = budgets.data?.rows.find((row) => row.mongoId === budgetId)
      if (!openBudget) return null
      const source = budgets.data?.rows.find((row) => row.mongoId === openBudget.sourceBudgetId)
      if (source) return { budgetId: source.mongoId, version: null }
      const moment = openBudget.moments.at(-1)
      if (moment) return { budgetId: openBudget.mongoId, version: moment.version }
      const first = timeline.data?.days.at(-1)
      return first ? { budgetId: openBudget.mongoId, version: first.version } : null
    },
  }
}

export function ComparisonSidePicker({
  label,
  groups,
  value,
  onChange,
}: {
  label: string
  groups: ReturnType<typeof useComparisonSides>['groups']
  value: ComparisonSide | null
  onChange: (side: ComparisonSide) => void
}) {
  return (
    <Choice
      label={label}
      data={groups}
      value={value ? keyOf(value) : null}
      onChange={(key) => {
        const side = parseComparisonSide(key)
        if (side) onChange(side)
      }}
      nothingFoundMessage="Nothing matches."
      w={340}
      maw="100%"
    />
  )
}
