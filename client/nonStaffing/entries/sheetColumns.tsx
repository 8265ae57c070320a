import type { CellClassParams, ColDef, ICellRendererParams } from 'ag-grid-community'
import { figure } from '../../../domain/format.ts'
import { SheetCellEditor } from './CellEditor.tsx'
import { type Choices, type Field, type Row, type Sheet, textOf } from './sheetModel.ts'

/** Where a row stands: who makes it, or what it still needs. */
function Status({ row }: { row: Row }) {
  if (row.problem) return <span className="missing">{row.problem}</span>
  return (
    <>
      {row.note && <span className="pill">{row.note}</span>}
      {row.entry?.isOutOfDate && <span className="pill warn">Out of date</span>}
    </>
  )
}

/** An amount of a year; where it is typed over what would follow, a mark says so. */
function Year({ row, year, from }: { row: Row; year: number; from: number }) {
  const amount = row.amounts[year] ?? null
  if (row.kind === 'draft') return amount === null ? null : figure(amount)
  if (amount === null) return <span className="missing">not calculated</span>
  const typed = year > from ? row.entry?.typed[year] : null
  return (
    <span
      title={typed ? (typed === 'amount' ? 'Typed for this year' : 'Has a rate of its own') : undefined}
      className={amount < 0 ? 'up' : undefined}
    >
      {typed && row.note === null && <span className="own" aria-hidden="true" />}
      {figure(amount)}
    </span>
  )
}

/** The columns of the sheet: words left, years right; whatever may be typed is typed in its cell. */
export function sheetColumns(choices: Choices, sheet: Sheet, mayEdit: boolean): ColDef<Row>[] {
  const column = (field: Field, headerName: string, more: ColDef<Row> = {}): ColDef<Row> => ({
    field: field as ColDef<Row>['field'],
    colId: field,
    headerName,
    editable: ({ data }) => mayEdit && Boolean(data) && data!.kind !== 'linked' && !data!.entry?.source,
    valueGetter: ({ data, node }) => (data && !node?.rowPinned ? textOf(data, field, choices) : ''),
    cellEditor: SheetCellEditor,
    cellEditorParams: { choices, sheet },
    ...more,
  })
  const named = (field: Field) => ({
    cellRenderer: ({ value, data }: ICellRendererParams<Row, string>) => {
      const list = field === 'budgetCodeId' ? choices.budgetCodes : field === 'costCentreId' ? choices.costCentres : choices.profiles
      const found = list.find((one) => one.id === (data?.[field as 'budgetCodeId'] ?? -1))
      return <span title={found?.description}>{field === 'budgetCodeId' && found ? `${found.code} ${found.description}` : value}</span>
    },
  })
  return [
    column('description', 'Description', { pinned: window.innerWidth > 700 ? 'left' : undefined, minWidth: 150, width: 170 }),
    column('budgetCodeId', 'Budget code', { width: 116, ...named('budgetCodeId') }),
    {
      colId: 'side',
      headerName: 'Kind',
      width: 94,
      valueGetter: ({ data, node }) => {
        const code = node?.rowPinned ? undefined : choices.budgetCodes.find((one) => one.id === data?.budgetCodeId)
        return code ? (code.isIncome ? 'Income' : 'Expenditure') : ''
      },
    },
    column('costCentreId', 'Centre', { width: 62, minWidth: 64, headerTooltip: 'Cost centre', ...named('costCentreId') }),
    column('fundCodes', 'Funds', { width: 76, minWidth: 64, headerTooltip: 'Fund codes with their shares' }),
    column('profileTemplateId', 'Profile', { width: 78, ...named('profileTemplateId') }),
    ...sheet.yearNames.map((name, year) =>
      column(`year${year}`, name, {
        width: 107,
        minWidth: 96,
        type: 'rightAligned',
        cellClass: 'ag-cell-num',
        headerClass: 'num',
        comparator: (_a, _b, a, b) => (a.data?.amounts[year] ?? 0) - (b.data?.amounts[year] ?? 0),
        cellRenderer: ({ data }: ICellRendererParams<Row>) => data && <Year row={data} year={year} from={data.entry?.firstYear ?? 0} />,
      }),
    ),
    column('analysisTags', 'Analysis tags', { width: 130 }),
    column('identifier', 'Identifier', { width: 100 }),
    {
      colId: 'status',
      headerName: 'Status',
      width: 190,
      sortable: false,
      cellRenderer: ({ data, node }: ICellRendererParams<Row>) => data && !node.rowPinned && <Status row={data} />,
    },
  ]
}

/** Rows that others make, and rows that are still being typed, look like it. */
export function rowClassOf({ data }: Pick<CellClassParams<Row>, 'data'>): string {
  if (!data) return ''
  return data.kind === 'linked' || data.entry?.source ? 'made' : data.kind === 'draft' ? 'draft' : ''
}
