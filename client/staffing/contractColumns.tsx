import { IconCalculator } from '@tabler/icons-react'
import { Link } from 'react-router'
import { lookups } from '../../domain/lookups/lookups.ts'
import { staffContract } from '../../domain/resources/entities/budget/staffContract.ts'
import type { NamedReference } from '../../domain/resources/shape.ts'
import { dayInLondon, displayDate, displayFigure, toPennies } from '../../domain/values/format.ts'
import type { Pennies } from '../../domain/values/units.ts'
import type { FilterableColumn } from '../resources/list/Filters.tsx'
import { RecordNames } from '../resources/list/listColumns.tsx'
import type { api } from '../shell/api.ts'
import textStyles from '../ui/labels/text.module.css'
import type { TableColumn } from '../ui/table/columns.ts'

export type ContractListRow = Awaited<ReturnType<typeof api.contracts.list.query>>['rows'][number]

/** The index of the row in force today, otherwise 0. */
function currentRow(row: ContractListRow): number {
  const today = dayInLondon(new Date())
  const past = row.salary.filter((one) => one.effectiveDate <= today).length
  return Math.max(0, past - 1)
}

function describeWork(row: ContractListRow): string {
  const salary = row.salary[currentRow(row)]
  if (!salary) return ''
  return salary.hoursPerWeek !== null
    ? `${salary.hoursPerWeek} h × ${salary.weeksPerYear ?? '?'} w`
    : salary.fte === null
      ? ''
      : salary.fte.toFixed(3)
}

/** The first year's cost in whole pennies; null if it is not calculated. */
function getFirstYearCost({ costYears }: ContractListRow): Pennies | null {
  const first = costYears?.[0]
  return first === null || first === undefined ? null : toPennies(first)
}

function Cost({ row }: { row: ContractListRow }) {
  if (row.costYears === null) return <span className={textStyles.dim}>to be calculated</span>
  const first = getFirstYearCost(row)
  return first === null ? (
    <span className={textStyles.missing} title={row.problems[0]?.text}>
      not calculated
    </span>
  ) : (
    displayFigure(first)
  )
}

const { fields } = staffContract

const rightAligned = { isFigure: true } as const

/**
 * The columns of the list of staff contracts.
 * @param recalculated the budget's version at the last recalculation of all contracts; later changes are marked
 */
export function createContractColumns(
  types: ReadonlyMap<number, NamedReference>,
  year: string,
  recalculated: number | null,
): TableColumn<ContractListRow>[] {
  return [
    {
      id: 'employeeNumber',
      label: fields.employeeNumber.short,
      minWidth: 84,
      flex: 0.6,
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
    { id: 'contractName', label: fields.contractName.short, flex: 1.3 },
    { id: 'position', label: fields.position.label, minWidth: 120, flex: 1.2 },
    {
      id: 'contractTypeName',
      label: fields.contractTypeName.short,
      minWidth: 84,
      flex: 0.6,
      cell: ({ contractTypeName: value }) => types.get(value)?.name ?? '',
    },
    {
      label: fields.salary.of.scalePoint.short,
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
      ...rightAligned,
      minWidth: 120,
      flex: 0.8,
      cell: (row) => describeWork(row),
    },
    {
      id: 'startDate',
      label: fields.startDate.short,
      minWidth: 108,
      flex: 0.6,
      cell: ({ startDate: value }) => displayDate(value),
    },
    ...furtherColumns(),
    {
      label: `Cost ${year}`,
      pennies: getFirstYearCost,
      id: 'cost',
      isSortable: false,
      ...rightAligned,
      width: 112,
      flex: 0,
      isPinned: true,
      cell: (row) => <Cost row={row} />,
    },
    {
      label: '',
      id: 'link',
      width: 46,
      minWidth: 46,
      flex: 0,
      isPinned: true,
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

/** Columns hidden until the user adds them. */
function furtherColumns(): TableColumn<ContractListRow>[] {
  return [
    { id: 'endDate', label: fields.endDate.short, width: 124, flex: 0, cell: (row) => displayDate(row.endDate) },
    { id: 'department', label: fields.department.label, minWidth: 120 },
    {
      id: 'type',
      label: fields.type.label,
      minWidth: 130,
      cell: ({ type: value }) => lookups.payScaleTypes.find((item) => item.id === value)?.name,
    },
    {
      id: 'maximumScalePoint',
      label: fields.maximumScalePoint.short,
      minWidth: 130,
      cell: ({ maximumScalePoint: value }) => value !== null && <RecordNames to="payScalePoint" ids={[value]} />,
    },
    {
      id: 'serviceTerms',
      label: fields.serviceTerms.label,
      minWidth: 130,
      isSortable: false,
      cell: (row) => <RecordNames to="serviceTerm" ids={row.serviceTerms} chips />,
    },
    {
      id: 'analysisTags',
      label: fields.analysisTags.label,
      minWidth: 140,
      isSortable: false,
      cell: (row) => <RecordNames to="analysisTag" ids={row.analysisTags} chips />,
    },
    {
      id: 'fundCodes',
      label: fields.fundCodes.label,
      minWidth: 140,
      isSortable: false,
      cell: (row) => <RecordNames to="fundCode" ids={row.fundCodes.map((fund) => fund.fundCodeId)} chips />,
    },
    { id: 'apprentice', label: fields.apprentice.label, width: 110, flex: 0, cell: (row) => yesNo(row.apprentice) },
    { id: 'attritionContract', label: fields.attritionContract.short, width: 100, flex: 0, cell: (row) => yesNo(row.attritionContract) },
    { id: 'hasExtendedLeave', label: 'On leave', width: 100, flex: 0, cell: (row) => yesNo(row.hasExtendedLeave) },
    { id: 'created', label: 'Created', width: 124, flex: 0, cell: (row) => displayDate(row.created) },
  ]
}

export const hiddenContractColumns = ['contractName', ...furtherColumns().map((column) => column.id)]

/** The filters of the list of staff contracts. */
export function createContractFilters(types: ReadonlyMap<number, NamedReference>): FilterableColumn[] {
  const declared = (name: 'employeeNumber' | 'contractName' | PlainFilter): FilterableColumn => ({
    name,
    label: fields[name].label,
    field: fields[name],
  })
  const set = (name: 'contractTypeName' | 'type', items: { id: number; name: string }[]): FilterableColumn => ({
    name,
    label: fields[name].label,
    field: { kind: 'set', items },
  })
  return [
    declared('employeeNumber'),
    declared('contractName'),
    set(
      'contractTypeName',
      [...types.values()].map(({ id, name }) => ({ id, name })),
    ),
    set('type', lookups[fields.type.lookup]),
    ...plainFilters.map(declared),
    { name: 'hasExtendedLeave', label: 'Extended leave', field: { kind: 'flag', label: 'Extended leave' } },
  ]
}

const plainFilters = ['position', 'department', 'startDate', 'endDate', 'apprentice', 'attritionContract'] as const
type PlainFilter = (typeof plainFilters)[number]
