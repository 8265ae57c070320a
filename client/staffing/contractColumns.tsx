import { IconCalculator } from '@tabler/icons-react'
import type { ColDef } from 'ag-grid-community'
import { Link } from 'react-router'
import { displayDate, figure, penniesOf } from '../../domain/format.ts'
import { lookups } from '../../domain/lookups.ts'
import type { api } from '../api/api.ts'
import { Names } from '../resources/cells.tsx'
import type { Filterable } from '../resources/Filters.tsx'
import type { Named } from '../resources/resourceApi.ts'

export type Row = Awaited<ReturnType<typeof api.contracts.list.query>>['rows'][number]

/** The row in force today, else the first. */
function currentRow(row: Row): number {
  const today = new Date().toISOString().slice(0, 10)
  const past = row.salary.filter((one) => one.effectiveDate <= today).length
  return Math.max(0, past - 1)
}

function workOf(row: Row): string {
  const salary = row.salary[currentRow(row)]
  if (!salary) return ''
  return salary.hoursPerWeek !== null
    ? `${salary.hoursPerWeek} h × ${salary.weeksPerYear ?? '?'} w`
    : salary.fte === null
      ? ''
      : salary.fte.toFixed(3)
}

function Cost({ row }: { row: Row }) {
  const first = row.costYears?.[0]
  if (row.costYears === null) return <span className="dim">to be calculated</span>
  return first === null || first === undefined ? (
    <span className="missing" title={row.problems[0]?.text}>
      not calculated
    </span>
  ) : (
    figure(penniesOf(first))
  )
}

const right = { headerClass: 'num', cellClass: 'ag-cell-num' }

/**
 * The columns of the list of staff contracts.
 * @param recalculated the version of the budget at which all contracts were last recalculated: what is newer is marked
 */
export function contractColumns(types: ReadonlyMap<number, Named>, year: string, recalculated: number | null): ColDef<Row>[] {
  return [
    {
      colId: 'employeeNumber',
      headerName: 'Employee',
      field: 'employeeNumber',
      width: 110,
      flex: 0,
      cellRenderer: ({ value }: { value: string | null }) => value ?? <span className="dim">vacancy</span>,
    },
    {
      colId: 'name',
      headerName: 'Name',
      field: 'name',
      minWidth: 130,
      flex: 1.3,
      cellRenderer: ({ data }: { data?: Row }) =>
        data && (
          <>
            {data.name}
            {recalculated !== null && data.version > recalculated && (
              <span
                className="changed"
                role="img"
                title="Changed since the last recalculation"
                aria-label="changed since the last recalculation"
              />
            )}
          </>
        ),
    },
    { colId: 'contractName', headerName: 'Contract', field: 'contractName', flex: 1.3 },
    { colId: 'position', headerName: 'Position', field: 'position', minWidth: 120, flex: 1.2 },
    {
      colId: 'contractTypeName',
      headerName: 'Type',
      field: 'contractTypeName',
      width: 120,
      flex: 0,
      cellRenderer: ({ value }: { value: number }) => types.get(value)?.name ?? '',
    },
    {
      headerName: 'Point',
      colId: 'point',
      sortable: false,
      minWidth: 140,
      flex: 1,
      cellRenderer: ({ data }: { data?: Row }) => data && (data.pointNames[currentRow(data)] ?? (data.salary.length ? 'Spot salary' : '')),
    },
    {
      headerName: 'FTE / hours',
      colId: 'work',
      sortable: false,
      ...right,
      width: 150,
      flex: 0,
      cellRenderer: ({ data }: { data?: Row }) => data && workOf(data),
    },
    {
      colId: 'startDate',
      headerName: 'Start',
      field: 'startDate',
      width: 124,
      flex: 0,
      cellRenderer: ({ value }: { value: string }) => displayDate(value),
    },
    ...furtherColumns(),
    {
      headerName: `Cost ${year}`,
      colId: 'cost',
      sortable: false,
      ...right,
      width: 136,
      flex: 0,
      cellRenderer: ({ data }: { data?: Row }) => data && <Cost row={data} />,
    },
    {
      headerName: '',
      colId: 'link',
      width: 56,
      minWidth: 56,
      flex: 0,
      sortable: false,
      resizable: false,
      cellRenderer: ({ data }: { data?: Row }) =>
        data && (
          <Link
            to={`/staffing/staff-contracts/${data.id}/cost`}
            aria-label={`Cost of ${data.contractName}`}
            title="Cost view"
            tabIndex={-1}
            style={{ display: 'inline-flex', verticalAlign: 'middle' }}
          >
            <IconCalculator size={17} stroke={1.6} />
          </Link>
        ),
    },
  ]
}

const yesNo = ({ value }: { value: boolean }): string => (value ? 'Yes' : 'No')
const dateCell = ({ value }: { value: string | null }): string => displayDate(value)

/** What a list begins without; people put it there from the menu of columns. */
function furtherColumns(): ColDef<Row>[] {
  return [
    { colId: 'endDate', headerName: 'End', field: 'endDate', width: 124, flex: 0, cellRenderer: dateCell },
    { colId: 'department', headerName: 'Department', field: 'department', minWidth: 120 },
    {
      colId: 'type',
      headerName: 'Pay scale type',
      field: 'type',
      minWidth: 130,
      cellRenderer: ({ value }: { value: number }) => lookups.payScaleTypes.find((item) => item.id === value)?.name,
    },
    {
      colId: 'maximumScalePoint',
      headerName: 'Maximum point',
      field: 'maximumScalePoint',
      minWidth: 130,
      cellRenderer: ({ value }: { value: number | null }) => value !== null && <Names to="payScalePoint" ids={[value]} />,
    },
    {
      colId: 'serviceTerms',
      headerName: 'Payroll codes',
      minWidth: 130,
      sortable: false,
      cellRenderer: ({ data }: { data?: Row }) => data && <Names to="serviceTerm" ids={data.serviceTerms} chips />,
    },
    {
      colId: 'analysisTags',
      headerName: 'Analysis tags',
      minWidth: 140,
      sortable: false,
      cellRenderer: ({ data }: { data?: Row }) => data && <Names to="analysisTag" ids={data.analysisTags} chips />,
    },
    {
      colId: 'fundCodes',
      headerName: 'Fund codes',
      minWidth: 140,
      sortable: false,
      cellRenderer: ({ data }: { data?: Row }) => data && <Names to="fundCode" ids={data.fundCodes.map((fund) => fund.fundCodeId)} chips />,
    },
    { colId: 'apprentice', headerName: 'Apprentice', field: 'apprentice', width: 110, flex: 0, cellRenderer: yesNo },
    { colId: 'attritionContract', headerName: 'Attrition', field: 'attritionContract', width: 100, flex: 0, cellRenderer: yesNo },
    { colId: 'hasExtendedLeave', headerName: 'On leave', field: 'hasExtendedLeave', width: 100, flex: 0, cellRenderer: yesNo },
    { colId: 'created', headerName: 'Created', field: 'created', width: 124, flex: 0, cellRenderer: dateCell },
  ]
}

/** The columns that a list begins without. */
export const hiddenContractColumns = ['contractName', ...furtherColumns().map((column) => column.colId!)]

/** What the list of staff contracts can be filtered by. */
export function contractFilters(types: ReadonlyMap<number, Named>): Filterable[] {
  return [
    { name: 'employeeNumber', label: 'Employee number', field: { kind: 'text', label: 'Employee number', max: 30 } },
    { name: 'contractName', label: 'Contract name', field: { kind: 'text', label: 'Contract name', max: 100 } },
    {
      name: 'contractTypeName',
      label: 'Contract type',
      field: { kind: 'set', items: [...types.values()].map(({ id, name }) => ({ id, name })) },
    },
    { name: 'type', label: 'Pay scale type', field: { kind: 'set', items: [...lookups.payScaleTypes] } },
    { name: 'position', label: 'Position', field: { kind: 'text', label: 'Position', max: 100 } },
    { name: 'department', label: 'Department', field: { kind: 'text', label: 'Department', max: 100 } },
    { name: 'startDate', label: 'Start date', field: { kind: 'date', label: 'Start date' } },
    { name: 'endDate', label: 'End date', field: { kind: 'date', label: 'End date' } },
    { name: 'apprentice', label: 'Apprentice', field: { kind: 'flag', label: 'Apprentice' } },
    { name: 'attritionContract', label: 'Attrition contract', field: { kind: 'flag', label: 'Attrition contract' } },
    { name: 'hasExtendedLeave', label: 'Extended leave', field: { kind: 'flag', label: 'Extended leave' } },
  ]
}
