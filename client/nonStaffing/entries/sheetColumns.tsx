import { ActionIcon } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import type { CellClassParams, ColDef, ICellRendererParams } from 'ag-grid-community'
import type { ReactNode } from 'react'
import { displayFigure, displayWholePounds } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { SheetCellEditor } from './SheetCellEditor.tsx'
import classes from './sheet.module.css'
import { type EntryChoices, getCellText, isEmptyLine, type LoadedSheet, type SheetField, type SheetLine } from './sheetModel.ts'

/** Shows where the entry of a row comes from, or what a new row still needs. */
function Status({ row }: { row: SheetLine }) {
  if (row.problem) return <span className={textStyles.missing}>{row.problem}</span>
  return (
    <>
      {row.note && <Pill className={classes.inCell}>{row.note}</Pill>}
      {row.entry?.isOutOfDate && (
        <Pill tone="warn" className={classes.inCell}>
          Out of date
        </Pill>
      )}
    </>
  )
}

/** Text that may not fit into its column. It is shown in full in a tooltip, and extends beyond the cell while the cell has focus. */
function TruncatedText({ title, children }: { title: string | undefined; children: ReactNode }) {
  return (
    <span className={classes.whole} title={title}>
      {children}
    </span>
  )
}

/** The amount of a year, with a mark if the user typed it in place of the calculated amount. */
function Year({ row, year, from }: { row: SheetLine; year: number; from: number }) {
  const amount = row.amounts[year] ?? null
  if (row.kind === 'draft') return amount === null ? null : displayFigure(amount)
  if (amount === null) return <span className={textStyles.missing}>not calculated</span>
  const typed = year > from ? row.entry?.typed[year] : null
  return (
    <span
      title={typed ? (typed === 'amount' ? 'Entered for this year' : 'Has its own rate') : undefined}
      className={amount < 0 ? textStyles.up : undefined}
    >
      {typed && row.note === null && <span className={classes.typedMark} aria-hidden="true" />}
      {displayFigure(amount)}
    </span>
  )
}

/**
 * Calculates the width of a year's column in pixels. It fits £999,999.99 and every total in whole pounds, because a figure that is cut off
 * is misleading.
 */
export function calculateYearWidth(totals: readonly Pennies[]): number {
  const figures = totals.map((total) => displayWholePounds(total).replace('£', ''))
  // In bold type a digit is 8.3 pixels wide and a comma, point or minus at most 5. The remaining 22 are padding.
  const needed = figures.map((figure) => 22 + [...figure].reduce((sum, character) => sum + (/\d/.test(character) ? 8.3 : 5), 0))
  return Math.ceil(Math.max(98, ...needed))
}

/** Builds the columns of the sheet: text on the left, years on the right. */
export function createSheetColumns(
  choices: EntryChoices,
  { sheet, width, mayEdit, onOpen }: { sheet: LoadedSheet; width: number; mayEdit: boolean; onOpen: (row: SheetLine) => void },
): ColDef<SheetLine>[] {
  const column = (field: SheetField, headerName: string, more: ColDef<SheetLine> = {}): ColDef<SheetLine> => ({
    // Years are not fields of a row; the grid only passes the name back.
    field: field as ColDef<SheetLine>['field'],
    colId: field,
    headerName,
    editable: ({ data }) => mayEdit && data !== undefined && data.kind !== 'linked' && !data.entry?.source,
    valueGetter: ({ data, node }) => (data && !node?.rowPinned ? getCellText(data, field, choices) : ''),
    cellEditor: SheetCellEditor,
    cellEditorParams: { choices, sheet },
    ...more,
  })
  const named = (field: SheetField) => ({
    cellRenderer: ({ value, data }: ICellRendererParams<SheetLine, string>) => {
      const list = field === 'budgetCodeId' ? choices.budgetCodes : field === 'costCentreId' ? choices.costCentres : choices.profiles
      const found = list.find((one) => data && one.id === Reflect.get(data, field))
      const fullName = found && `${found.code} ${found.description}`
      return <TruncatedText title={fullName}>{field === 'budgetCodeId' && fullName ? fullName : value}</TruncatedText>
    },
  })
  const isWide = window.innerWidth > 700
  const textColumns = [
    // This column becomes narrower if year columns are wider, so that all columns fit on the screen.
    column('budgetCodeId', 'Budget code', { width: Math.max(130, 199 - (width - 98) * sheet.yearNames.length), ...named('budgetCodeId') }),
    column('costCentreId', 'Centre', { width: 60, minWidth: 60, headerTooltip: 'Cost centre', ...named('costCentreId') }),
    column('fundCodes', 'Funds', { width: 72, minWidth: 64, headerTooltip: 'Fund codes with their shares' }),
    column('profileTemplateId', 'Profile', { width: 76, minWidth: 76, ...named('profileTemplateId') }),
  ]
  const years = sheet.yearNames.map((name, year) =>
    column(`year${year}`, name, {
      width,
      minWidth: 96,
      type: 'rightAligned',
      cellClass: classes.figure,
      headerClass: classes.numHead,
      comparator: (_a, _b, a, b) => (a.data?.amounts[year] ?? 0) - (b.data?.amounts[year] ?? 0),
      cellRenderer: ({ data }: ICellRendererParams<SheetLine>) => data && <Year row={data} year={year} from={data.entry?.firstYear ?? 0} />,
    }),
  )
  return [
    column('description', 'Description', {
      pinned: 'left',
      minWidth: isWide ? 150 : 110,
      width: isWide ? 170 : 128,
      // In an empty sheet, the first row explains what the sheet is for.
      cellRenderer: ({ value, data, node }: ICellRendererParams<SheetLine, string>) =>
        data && node.rowIndex === 0 && !node.rowPinned && isEmptyLine(data) ? (
          <span className={textStyles.dim}>Type an entry here</span>
        ) : (
          <TruncatedText title={value ?? undefined}>{value}</TruncatedText>
        ),
    }),
    // On a phone, show the amounts next to the description.
    ...(isWide ? [...textColumns, ...years] : [...years, ...textColumns]),
    {
      colId: 'side',
      headerName: 'Type',
      width: 90,
      valueGetter: ({ data, node }) => {
        const code = node?.rowPinned ? undefined : choices.budgetCodes.find((one) => one.id === data?.budgetCodeId)
        return code ? (code.isIncome ? 'Income' : 'Expenditure') : ''
      },
    },
    column('analysisTags', 'Analysis tags', { width: 130 }),
    column('identifier', 'Identifier', { width: 100 }),
    {
      colId: 'status',
      headerName: 'Status',
      width: 190,
      sortable: false,
      cellRenderer: ({ data, node }: ICellRendererParams<SheetLine>) => data && !node.rowPinned && <Status row={data} />,
    },
    {
      colId: 'open',
      headerName: '',
      headerTooltip: 'Open the entry',
      pinned: isWide ? 'right' : undefined,
      width: 54,
      minWidth: 54,
      maxWidth: 54,
      sortable: false,
      resizable: false,
      cellClass: classes.open,
      cellRenderer: ({ data, node }: ICellRendererParams<SheetLine>) =>
        data?.kind === 'entry' &&
        !node.rowPinned && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            tabIndex={-1}
            aria-label={`Open ${data.description}`}
            title="Open the entry (Alt Enter)"
            onClick={() => onOpen(data)}
          >
            <IconArrowUpRight size={15} />
          </ActionIcon>
        ),
    },
  ]
}

/** Returns the CSS class of a row: read-only rows and unsaved new rows have their own styles. */
export function getSheetRowClass({ data }: Pick<CellClassParams<SheetLine>, 'data'>): string | undefined {
  if (!data) return ''
  return data.kind === 'linked' || data.entry?.source ? classes.made : data.kind === 'draft' ? classes.draft : ''
}
