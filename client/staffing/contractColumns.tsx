import { IconCalculator } from '@tabler/icons-react'
import { Link } from 'react-router'
import { displayDate, figure, penniesOf } from '../../domain/format.ts'
import { lookups } from '../../domain/lookups.ts'
import type { Named } from '../../domain/resources/shape.ts'
import { Names } from '../resources/cells.tsx'
import type { Column } from '../resources/columns.ts'
import type { Filterable } from '../resources/Filters.tsx'
import type { api } from '../shell/api.ts'
import textStyles from '../ui/text.module.css'

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
  if (row.costYears === null) return <span className={textStyles.dim}>to be calculated</span>
  return first === null || first === undefined ? (
    <span className={textStyles.missing} title={row.problems[0]?.text}>
      not calculated
    </span>
  ) : (
    figure(penniesOf(first))
  )
}

const right = { isFigure: true } as const

/**
 * The columns of the list of staff contracts.
 * @param recalculated the version of the budget at which all contracts were last recalculated: what is newer is marked
 */
export function contractColumns(types: ReadonlyMap<number, Named>, year: string, recalculated: number | null): Column<Row>[] {
  return [
    {
      id: 'employeeNumber',
      label: 'Employee',
      width: 110,
      flex: 0,
      cell: ({ employeeNumber: value }) => value ?? <span className={textStyles.dim}>vacancy</span>,
    },
    {
      id: 'name',
      label: 'Name',
      minWidth: 130,
      flex: 1.3,
      cell: (row) => (
        <>
          {row.name}
          {recalculated !== null && row.version > recalculated && (
            <span
              className={textStyles.changed}
              role="img"
              title="Changed since the last recalculation"
              aria-label="changed since the last recalculation"
            />
          )}
        </>
      ),
    },
    { id: 'contractName', label: 'Contract', flex: 1.3 },
    { id: 'position', label: 'Position', minWidth: 120, flex: 1.2 },
    {
      id: 'contractTypeName',
      label: 'Type',
      width: 120,
      flex: 0,
      cell: ({ contractTypeName: value }) => types.get(value)?.name ?? '',
    },
    {
      label: 'Point',
      id: 'point',
      isSortable: false,
      minWidth: 140,
      flex: 1,
      cell: (row) => row.pointNames[currentRow(row)] ?? (row.salary.length ? 'Spot salary' : ''),
    },
    {
      label: 'FTE / hours',
      id: 'work',
      isSortable: false,
      ...right,
      width: 150,
      flex: 0,
      cell: (row) => workOf(row),
    },
    {
      id: 'startDate',
      label: 'Start',
      width: 124,
      flex: 0,
      cell: ({ startDate: value }) => displayDate(value),
    },
    ...furtherColumns(),
    {
      label: `Cost ${year}`,
      id: 'cost',
      isSortable: false,
      ...right,
      width: 136,
      flex: 0,
      cell: (row) => <Cost row={row} />,
    },
    {
      label: '',
      id: 'link',
      width: 56,
      minWidth: 56,
      flex: 0,
      isSortable: false,
      isResizable: false,
      cell: (row) => (
        <Link
          to={`/staffing/staff-contracts/${row.id}/cost`}
          aria-label={`Cost of ${row.contractName}`}
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

const yesNo = (value: boolean): string => (value ? 'Yes' : 'No')

/** What a list begins without; people put it there from the menu of columns. */
function furtherColumns(): Column<Row>[] {
  return [
    { id: 'endDate', label: 'End', width: 124, flex: 0, cell: (row) => displayDate(row.endDate) },
    { id: 'department', label: 'Department', minWidth: 120 },
    {
      id: 'type',
      label: 'Pay scale type',
      minWidth: 130,
      cell: ({ type: value }) => lookups.payScaleTypes.find((item) => item.id === value)?.name,
    },
    {
      id: 'maximumScalePoint',
      label: 'Maximum point',
      minWidth: 130,
      cell: ({ maximumScalePoint: value }) => value !== null && <Names to="payScalePoint" ids={[value]} />,
    },
    {
      id: 'serviceTerms',
      label: 'Payroll codes',
      minWidth: 130,
      isSortable: false,
      cell: (row) => <Names to="serviceTerm" ids={row.serviceTerms} chips />,
    },
    {
      id: 'analysisTags',
      label: 'Analysis tags',
      minWidth: 140,
      isSortable: false,
      cell: (row) => <Names to="analysisTag" ids={row.analysisTags} chips />,
    },
    {
      id: 'fundCodes',
      label: 'Fund codes',
      minWidth: 140,
      isSortable: false,
      cell: (row) => <Names to="fundCode" ids={row.fundCodes.map((fund) => fund.fundCodeId)} chips />,
    },
    { id: 'apprentice', label: 'Apprentice', width: 110, flex: 0, cell: (row) => yesNo(row.apprentice) },
    { id: 'attritionContract', label: 'Attrition', width: 100, flex: 0, cell: (row) => yesNo(row.attritionContract) },
    { id: 'hasExtendedLeave', label: 'On leave', width: 100, flex: 0, cell: (row) => yesNo(row.hasExtendedLeave) },
    { id: 'created', label: 'Created', width: 124, flex: 0, cell: (row) => displayDate(row.created) },
  ]
}

/** The columns that a list begins without. */
export const hiddenContractColumns = ['contractName', ...furtherColumns().map((column) => column.id)]

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
