import { Alert, Autocomplete, Text } from '@mantine/core'
import { cellsOf } from '../../../domain/files/sheets.ts'
import { rowsOf } from '../../../domain/resources/importFile.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { Note } from '../../ui/layout/Card.tsx'
import { SheetSelect } from '../sheets/SheetSelect.tsx'
import { FileColumns } from './FileColumns.tsx'
import { type Fills, fillFrom, type ImportFile } from './reading.ts'

/** How a file is read: its sheet, the row of its headings, what each column holds, and what is the same in every row. */
export function ColumnsStep({
  file,
  missing,
  names,
  values,
  fills,
  onSheet,
  onFile,
  onFills,
}: {
  file: ImportFile
  /** The columns that the import needs and the file does not have. */
  missing: readonly string[]
  /** What each column of the import is called. */
  names: Readonly<Record<string, string>>
  /** The values that cells of a column may have, where they are a short list. */
  values: Readonly<Record<string, readonly string[]>>
  fills: Fills
  onSheet: (sheet: number) => void
  onFile: (file: ImportFile) => void
  onFills: (fills: Fills) => void
}) {
  const cells = cellsOf(assertDefined(file.sheets[file.sheet]).rows)
  const { rows, totals } = rowsOf(cells, file.table)
  const headings = (cells[file.table.headingRow - 1] ?? []).map((cell) => cell.trim()).filter(Boolean)
  const used = file.table.columns.filter((column) => column !== null).length
  return (
    <>
      <Text size="sm" mb="xs">
        <b>{file.name}</b>: {displayCount(rows.length, 'row')}, {used} of {displayCount(headings.length, 'column')} used.
        {totals.length > 0 && ` Row ${totals.join(', ')} is a total and is left out.`}
      </Text>
      <SheetSelect sheets={file.sheets} sheet={file.sheet} onSheet={onSheet} />
      <FileColumns
        cells={cells}
        headingRow={file.table.headingRow}
        columns={file.table.columns}
        names={names}
        onHeadingRow={(headingRow) => onFile({ ...file, table: { ...file.table, headingRow } })}
        onColumns={(chosen) => onFile({ ...file, table: { ...file.table, columns: chosen } })}
      />
      {missing.length > 0 && (
        <>
          <Note>The file has no column for these. Choose one above, or say here what stands in every row.</Note>
          {missing.map((column) => (
            <Autocomplete
              key={column}
              label={names[column]}
              description="In every row"
              mb="xs"
              data={[...new Set([...(values[column] ?? []), ...headings.map(fillFrom)])]}
              value={fills[column] ?? ''}
              onChange={(words) => onFills({ ...fills, [column]: words })}
            />
          ))}
        </>
      )}
    </>
  )
}

/** Says which columns nothing was chosen or typed for yet. */
export function MissingAlert({ names }: { names: readonly string[] }) {
  return names.length ? (
    <Alert color="orange" mb="sm" role="status">
      Still to be said: {names.join(', ')}.
    </Alert>
  ) : null
}
