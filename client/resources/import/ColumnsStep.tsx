import { Alert, Text } from '@mantine/core'
import { listSimilarSheets, splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { readFileRows } from '../../../domain/resources/importFile.ts'
import type { TemplateChoice } from '../../../domain/resources/template.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayList } from '../../../domain/values/format.ts'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'
import { CardNote } from '../../ui/layout/Card.tsx'
import { WorkbookSheetSelect } from '../sheets/SheetSelect.tsx'
import { ColumnMeaningTable } from './FileColumns.tsx'
import { formatColumnFill, type ImportFile, type MissingColumnFills } from './importFile.ts'

/** How a file is read: its sheet, its header row, the meaning of each column, and values that apply to every row. */
export function ColumnsStep({
  file,
  missing,
  names,
  values,
  offered,
  fills,
  onSheet,
  onFile,
  onFills,
}: {
  file: ImportFile
  /** Columns that the import requires and the file lacks. */
  missing: readonly string[]
  /** Labels of the import's columns. */
  names: Readonly<Record<string, string>>
  /** Allowed values of the columns that have only a few. */
  values: Readonly<Record<string, readonly string[]>>
  /** Allowed values with their meanings; empty until they have loaded. */
  offered: Readonly<Record<string, readonly TemplateChoice[]>>
  fills: MissingColumnFills
  onSheet: (sheet: number) => void
  onFile: (file: ImportFile) => void
  onFills: (fills: MissingColumnFills) => void
}) {
  const cells = splitRowsIntoCells(assertDefined(file.sheets[file.sheet]).rows)
  const { rows, totals } = readFileRows(cells, file.table)
  const headings = (cells[file.table.headingRow - 1] ?? []).map((cell) => cell.trim()).filter(Boolean)
  const others = listSimilarSheets(file.sheets, file.sheet, headings)
  const hasChoices = (column: string): boolean => Boolean(values[column]?.length || offered[column]?.length)
  const used = file.table.columns.filter((column) => column !== null).length
  return (
    <>
      <Text size="sm" mb="xs">
        <b>{file.name}</b>: {displayCount(rows.length, 'row')}, {used} of {displayCount(headings.length, 'column')} used.
        {totals.length > 0 && ` Row ${totals.join(', ')} is a total and is left out.`}
      </Text>
      <WorkbookSheetSelect sheets={file.sheets} sheet={file.sheet} onSheet={onSheet} />
      {others.length > 0 && (
        <CardNote>
          {displayList(others.map((name) => `“${name}”`))} {others.length === 1 ? 'has' : 'have'} the same columns and{' '}
          {others.length === 1 ? 'is' : 'are'} not imported now. If you need {others.length === 1 ? 'it' : 'them'} too, import each sheet
          separately.
        </CardNote>
      )}
      <ColumnMeaningTable
        cells={cells}
        headingRow={file.table.headingRow}
        columns={file.table.columns}
        names={names}
        onHeadingRow={(headingRow) => onFile({ ...file, table: { ...file.table, headingRow } })}
        onColumns={(chosen) => onFile({ ...file, table: { ...file.table, columns: chosen } })}
      />
      {missing.length > 0 && (
        <>
          <CardNote>The file has no column for these. Choose one above, or enter a value for every row here.</CardNote>
          {missing.map((column) => (
            <SuggestionField
              key={column}
              label={names[column]}
              description="In every row"
              mb="xs"
              suggestions={[...(values[column] ?? []), ...(offered[column] ?? []), ...headings.map((heading) => formatColumnFill(heading))]}
              // Text that is not on a list, such as a name or a date, is left as it was typed.
              takesFirst={hasChoices(column)}
              value={fills[column] ?? ''}
              onChange={(words) => onFills({ ...fills, [column]: words })}
            />
          ))}
        </>
      )}
    </>
  )
}

/** Names the required columns that have neither a column in the file nor a value yet. */
export function MissingColumnsAlert({ names }: { names: readonly string[] }) {
  return names.length ? (
    <Alert color="orange" mb="sm" role="status">
      Missing: {names.join(', ')}.
    </Alert>
  ) : null
}
