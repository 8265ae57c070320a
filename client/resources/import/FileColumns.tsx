import { Select, Table } from '@mantine/core'
import type { Cells } from '../../../domain/files/headings.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import { NumberField } from '../../ui/fields/NumberField.tsx'

/** Where the table of a file is and what its columns hold, with the first lines below, to be changed by hand. */
export function FileColumns<M extends string>({
  cells,
  headingRow,
  columns,
  names,
  many = [],
  onHeadingRow,
  onColumns,
}: {
  cells: Cells
  /** From 1. */
  headingRow: number
  columns: readonly (M | null)[]
  /** What a column may hold, with what it is called. */
  names: Readonly<Record<M, string>>
  /** What several columns may hold. */
  many?: readonly M[]
  onHeadingRow: (row: number) => void
  onColumns: (columns: (M | null)[]) => void
}) {
  const headings = (cells[headingRow - 1] ?? []).map((cell) => cell.trim())
  const isMany = (meaning: M | null): boolean => meaning !== null && many.includes(meaning)
  return (
    <>
      <NumberField
        label="Headings stand in row"
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
      <Table.ScrollContainer minWidth={Math.max(300, headings.length * 170)} mb="sm">
        <Table>
          <Table.Thead>
            <Table.Tr>
              {headings.map((heading, index) => (
                <Table.Th key={index}>
                  <Select
                    aria-label={`What ${heading || `column ${index + 1}`} holds`}
                    placeholder="Not used"
                    clearable
                    size="xs"
                    data={Object.entries<string>(names).map(([value, label]) => ({ value, label }))}
                    value={columns[index] ?? null}
                    onChange={(value) => {
                      const chosen = keysOf(names).find((name) => name === value) ?? null
                      // What one column holds no other does, but for what may stand in several.
                      const isFree = (at: number): boolean => isMany(chosen) || columns[at] !== chosen
                      onColumns(headings.map((_unused, at) => (at === index ? chosen : isFree(at) ? (columns[at] ?? null) : null)))
                    }}
                  />
                  {heading}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cells.slice(headingRow, headingRow + 4).map((line, row) => (
              <Table.Tr key={row}>
                {headings.map((_unused, index) => (
                  <Table.Td key={index}>{line[index]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}
