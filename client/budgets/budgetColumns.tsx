import { Loader } from '@mantine/core'
import type { ColDef } from 'ag-grid-community'
import { budgetVersionTypes, type ElementKind } from '../../domain/budget/budget.ts'
import { yearName } from '../../domain/calendar.ts'
import { displayDate } from '../../domain/format.ts'
import type { api } from '../api/api.ts'

export type BudgetListRow = Awaited<ReturnType<typeof api.budgets.list.query>>['rows'][number] & { id: string }

const approvals: Record<string, string> = { submitted: 'Submitted', returned: 'Returned', approved: 'Approved' }

function State({ row }: { row: BudgetListRow }) {
  if (row.notMade)
    return (
      <span className="pill bad" title={row.notMade}>
        Not made
      </span>
    )
  if (row.isBeingMade)
    return (
      <span className="pill" role="status">
        <Loader size={11} /> Being made
      </span>
    )
  if (row.state === 2) return <span className="pill warn">Locked {displayDate(row.lockedAt)}</span>
  return row.approval ? <span className="pill">{approvals[row.approval]}</span> : <span className="pill good">Open</span>
}

/** What the columns need to know of other things, by id. */
export interface ColumnNames {
  location: (id: number) => string
  group: (id: string | null) => string
  type: (id: number) => string
  table: (id: number) => string
}

/** The columns of the list of budgets: where, when, what for, with which tables and contract types. */
export function budgetColumns(names: ColumnNames): ColDef<BudgetListRow>[] {
  const tables = (kind: ElementKind, headerName: string): ColDef<BudgetListRow> => ({
    colId: kind,
    headerName,
    sortable: false,
    cellRenderer: ({ data }: { data?: BudgetListRow }) => {
      const rows = data?.[kind] ?? []
      const all = rows.map((row) => `${names.table(row.adminTableId)} from ${displayDate(row.effectiveDate)}`).join('\n')
      return rows.length ? <span title={all}>{names.table(rows.at(-1)!.adminTableId)}</span> : <span className="dim">none</span>
    },
  })
  return [
    { colId: 'name', headerName: 'Name', field: 'name', flex: 1.5, minWidth: 150 },
    {
      colId: 'locationId',
      headerName: 'Location',
      field: 'locationId',
      flex: 1.8,
      minWidth: 185,
      cellRenderer: ({ value }: { value: number }) => names.location(value),
    },
    {
      colId: 'versionType',
      headerName: 'Version type',
      field: 'versionType',
      minWidth: 105,
      cellRenderer: ({ value }: { value: number }) => budgetVersionTypes.find((type) => type.id === value)?.name ?? '',
    },
    {
      colId: 'firstYear',
      headerName: 'First year',
      field: 'firstYear',
      cellRenderer: ({ value }: { value: number }) => yearName(value, 0),
    },
    {
      colId: 'numberOfYears',
      headerName: 'Years',
      field: 'numberOfYears',
      headerClass: 'num',
      cellClass: 'ag-cell-num',
      width: 80,
      minWidth: 80,
      flex: 0.4,
    },
    {
      colId: 'state',
      headerName: 'State',
      field: 'state',
      minWidth: 158,
      cellRenderer: ({ data }: { data?: BudgetListRow }) => data && <State row={data} />,
    },
    {
      colId: 'budgetGroupId',
      headerName: 'Group',
      field: 'budgetGroupId',
      minWidth: 130,
      cellRenderer: ({ value }: { value: string | null }) => names.group(value),
    },
    {
      colId: 'contractTypeIds',
      headerName: 'Contract types',
      minWidth: 120,
      sortable: false,
      cellRenderer: ({ data }: { data?: BudgetListRow }) => {
        const all = (data?.contractTypeIds ?? []).map(names.type).join(', ')
        return <span title={all}>{all}</span>
      },
    },
    {
      colId: 'tables',
      headerName: 'Effective tables',
      minWidth: 170,
      flex: 1.6,
      sortable: false,
      cellRenderer: ({ data }: { data?: BudgetListRow }) => {
        const newest = (['teacherPayScales', 'supportPayScales', 'nationalInsurance'] as const).flatMap((kind) => data?.[kind].at(-1) ?? [])
        const text = newest.map((row) => names.table(row.adminTableId)).join(' · ')
        return <span title={text}>{text || 'none'}</span>
      },
    },
    tables('teacherPayScales', 'Teacher pay'),
    tables('supportPayScales', 'Support pay'),
    tables('nationalInsurance', 'National insurance'),
    tables('extendedLeaveRates', 'Leave rates'),
    tables('localAuthorityFundingRates', 'Funding rates'),
    { colId: 'created', headerName: 'Created', field: 'created', cellRenderer: ({ value }: { value: string }) => displayDate(value) },
  ]
}

/** Shown only when somebody asks for them. */
export const hiddenBudgetColumns = [
  'teacherPayScales',
  'supportPayScales',
  'nationalInsurance',
  'extendedLeaveRates',
  'localAuthorityFundingRates',
  'created',
]
