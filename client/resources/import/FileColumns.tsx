import type { Cells } from '../../../domain/files/headings.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'

/** Shows the heading row of a file and what its columns mean, with a preview of the first rows. The user can correct both. */
export function ColumnMeaningTable<M extends string>({
  cells,
  headingRow,
  columns,
  names,
  many = [],
  onHeadingRow,
  onColumns,
}: {
  cells: Cells
  /** The number of the heading row, counted from 1. */
  headingRow: number
  columns: readonly (M | null)[]
  /** Labels of the meanings that a column can have. */
  names: Readonly<Record<M, string>>
  /** Meanings that several columns can share. */
  many?: readonly M[]
  onHeadingRow: (row: number) => void
  onColumns: (columns: (M | null)[]) => void
}) {
  const headings = (cells[headingRow - 1] ?? []).map((cell) => cell.trim())
  const isMany = (meaning: M | null): boolean => meaning !== null && many.includes(meaning)
  return (
    <>
      <NumberField
        label="Header row"
        w={170}
        mb="xs"
        min={1}
        max={Math.min(1000, cells.length)}
        value={headingRow}
        onChange={(value) => {
          const row = Number(value)
          if (Number.isInteger(row) && row >= 1 && row <= cells.length) onHeadingRow(row)
        }}
      />
      <DataTable
        isWrapped
        minWidth={Math.max(300, headings.length * 170)}
        columns={headings.map((heading, index) => ({
          id: String(index),
          label: heading,
          head: (
            <>
              <Choice
                aria-label={`What ${heading || `column ${index + 1}`} contains`}
                placeholder="Not used"
                clearable
                size="xs"
                data={Object.entries<string>(names).map(([value, label]) => ({ value, label }))}
                value={columns[index] ?? null}
                onChange={(value) => {
                  const chosen = keysOf(names).find((name) => name === value) ?? null
                  // Any other meaning belongs to a single column, so choosing it for one column clears it for another.
                  const isFree = (at: number): boolean => isMany(chosen) || columns[at] !== chosen
                  onColumns(headings.map((_unused, at) => (at === index ? chosen : isFree(at) ? (columns[at] ?? null) : null)))
                }}
              />
              {heading}
            </>
          ),
        }))}
        rows={cells.slice(headingRow, headingRow + 4)}
      />
    </>
  )
}
