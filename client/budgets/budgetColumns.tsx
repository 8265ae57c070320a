import { Button, Loader } from '@mantine/core'
import { budgetState, recalculationState } from '../../domain/lookups/lookupIds.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import type { BudgetTableKind } from '../../domain/resources/entities/budget/budget.ts'
import { budget } from '../../domain/resources/entities/budget/budget.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayDate } from '../../domain/values/format.ts'
import type { api } from '../shell/api.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import type { TableColumn } from '../ui/table/columns.ts'

export type BudgetListRow = Awaited<ReturnType<typeof api.budgets.list.query>>['rows'][number] & { id: string }

const approvals: Record<string, string> = { submitted: 'Submitted', returned: 'Returned', approved: 'Approved' }

function State({ row, onAgain }: { row: BudgetListRow; onAgain?: (row: BudgetListRow) => void }) {
  if (row.notMade)
    return (
      <>
        <Pill tone="bad" title={row.notMade}>
          Not created
        </Pill>{' '}
        {onAgain && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={(event) => {
              event.stopPropagation()
              onAgain(row)
            }}
          >
            Try again
          </Button>
        )}
      </>
    )
  if (row.isBeingMade)
    return (
      <Pill role="status">
        <Loader size={11} /> Being created
      </Pill>
    )
  if (row.recalculationState === recalculationState.running)
    return (
      <Pill role="status">
        <Loader size={11} /> Recalculating
      </Pill>
    )
  if (row.recalculationState === recalculationState.failed)
    return (
      <Pill tone="bad" title={row.requiredReason ?? undefined}>
        Recalculation failed
      </Pill>
    )
  if (row.recalculationState === recalculationState.required)
    return (
      <Pill tone="warn" title={`${row.requiredReason} changed`}>
        To be recalculated
      </Pill>
    )
  if (row.state === budgetState.locked) return <Pill tone="warn">Locked {displayDate(row.lockedAt)}</Pill>
  return row.approval ? <Pill>{approvals[row.approval]}</Pill> : <Pill tone="good">Open</Pill>
}

/** Functions that return the name of a record from its id, for the columns. */
export interface ColumnLookups {
  location: (id: number) => string
  group: (id: string | null) => string
  type: (id: number) => string
  table: (id: number) => string
  /** Copies the source again into a budget that could not be filled; leave out if the user may not do this. */
  fillAgain?: (row: BudgetListRow) => void
}

export function createBudgetColumns(names: ColumnLookups): TableColumn<BudgetListRow>[] {
  const tables = (kind: BudgetTableKind, label: string): TableColumn<BudgetListRow> => ({
    id: kind,
    label,
    isSortable: false,
    cell: (row) => {
      const rows = row[kind] ?? []
      const all = rows.map((row) => `${names.table(row.adminTableId)} from ${displayDate(row.effectiveDate)}`).join('\n')
      return rows.length ? (
        <span title={all}>{names.table(assertDefined(rows.at(-1)).adminTableId)}</span>
      ) : (
        <span className={textStyles.dim}>none</span>
      )
    },
  })
  return [
    { id: 'name', label: budget.fields.name.label, flex: 1.5, minWidth: 150 },
    {
      id: 'locationId',
      label: 'Location',
      flex: 1.8,
      minWidth: 185,
      cell: ({ locationId: value }) => names.location(value),
    },
    {
      id: 'versionType',
      label: budget.fields.versionType.label,
      minWidth: 105,
      cell: ({ versionType: value }) => lookups.budgetVersionTypes.find((type) => type.id === value)?.name ?? '',
    },
    {
      id: 'firstYear',
      label: budget.fields.firstYear.label,
      cell: ({ firstYear: value }) => formatBudgetYear(value, 0),
    },
    {
      id: 'numberOfYears',
      label: budget.fields.numberOfYears.short,
      isFigure: true,
      width: 80,
      minWidth: 80,
      flex: 0.4,
    },
    {
      id: 'state',
      label: 'State',
      minWidth: 158,
      cell: (row) => <State row={row} onAgain={names.fillAgain} />,
    },
    {
      id: 'budgetGroupId',
      label: 'Group',
      minWidth: 130,
      cell: ({ budgetGroupId: value }) => names.group(value),
    },
    {
      id: 'contractTypeIds',
      label: budget.fields.contractTypeIds.label,
      minWidth: 120,
      isSortable: false,
      cell: (row) => {
        const all = (row.contractTypeIds ?? []).map(names.type).join(', ')
        return <span title={all}>{all}</span>
      },
    },
    {
      id: 'tables',
      label: 'Effective tables',
      minWidth: 170,
      flex: 1.6,
      isSortable: false,
      cell: (row) => {
        const newest = (['teacherPayScales', 'supportPayScales', 'nationalInsurance'] as const).flatMap((kind) => row[kind].at(-1) ?? [])
        const text = newest.map((row) => names.table(row.adminTableId)).join(' · ')
        return <span title={text}>{text || 'none'}</span>
      },
    },
    tables('teacherPayScales', 'Teacher pay'),
    tables('supportPayScales', 'Support pay'),
    tables('nationalInsurance', 'National insurance'),
    tables('extendedLeaveRates', 'Leave rates'),
    tables('localAuthorityFundingRates', 'Funding rates'),
    { id: 'created', label: 'Created', cell: ({ created: value }) => displayDate(value) },
  ]
}

/** Columns that are hidden until the user shows them. */
export const hiddenBudgetColumns = [
  'teacherPayScales',
  'supportPayScales',
  'nationalInsurance',
  'extendedLeaveRates',
  'localAuthorityFundingRates',
  'created',
]
