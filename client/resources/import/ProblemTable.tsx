import { Alert, Button, Text } from '@mantine/core'
import Papa from 'papaparse'
import { maximumLeftOutRows } from '../../../domain/files/leftOut.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { toPublicError } from '../../shell/api.ts'
import { downloadFile } from '../../shell/notify.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { getLeaveOutLabel } from './LeftOutRows.tsx'

export interface CellProblem {
  row: number
  column: string | null
  value: string | null
  message: string
}

const maximumListed = 100

/** Returns the cells because of which the server refused a file. */
export function readCellProblems(error: unknown): CellProblem[] {
  const { details } = toPublicError(error)
  // The error of a refused import always has this shape.
  return (details as { errors?: CellProblem[] } | undefined)?.errors?.filter((one) => one.row > 0) ?? []
}

/** Downloads the problems of a file, with a row for each cell. */
export function downloadProblems(problems: readonly CellProblem[], name: string): void {
  const data = problems.map((one) => [one.row, one.column, one.value, one.message])
  downloadFile({
    fileName: `${name} problems.csv`,
    contentType: 'text/csv',
    body: `\uFEFF${Papa.unparse({ fields: ['Row', 'Column', 'Value', 'Problem'], data }, { escapeFormulae: true })}`,
  })
}

/** Lists the cells that prevent an import: position, value and what to do. */
export function ProblemTable({
  problems,
  name,
  headingRow,
  onLeaveOut,
}: {
  problems: readonly CellProblem[]
  name: string
  /** The last row of titles and headings. Rows up to this one cannot be left out. */
  headingRow: number
  /** Leaves rows of the file out of the import; undefined if rows of this file cannot be left out. */
  onLeaveOut?: ((numbers: readonly number[]) => void) | undefined
}) {
  const rows = [...new Set(problems.flatMap(({ row }) => (row > headingRow ? [row] : [])))]
  const listed = problems.slice(0, maximumListed)
  return (
    <Alert color="red" mb="md" title={`${displayCount(problems.length, 'cell')} cannot be imported. Nothing is saved.`}>
      <DataTable
        isWrapped
        minWidth={480}
        maxHeight={260}
        columns={[
          { id: 'row', label: 'Row', isFigure: true },
          { id: 'column', label: 'Column' },
          { id: 'value', label: 'Value' },
          {
            id: 'message',
            label: 'What to do',
            cell: (one) => (
              <>
                {one.message}
                {onLeaveOut && one.row > headingRow && listed.find(({ row }) => row === one.row) === one && (
                  <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onLeaveOut([one.row])}>
                    {getLeaveOutLabel(1)}
                  </Button>
                )}
              </>
            ),
          },
        ]}
        rows={listed}
      />
      {problems.length > maximumListed && <Text size="sm">The first {maximumListed} are shown. Download them to see all.</Text>}
      <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => downloadProblems(problems, name)}>
        Download the problems
      </Button>
      {onLeaveOut && rows.length > 1 && rows.length <= maximumLeftOutRows && (
        <Button variant="subtle" color="gray" size="compact-sm" mt="xs" onClick={() => onLeaveOut(rows)}>
          {getLeaveOutLabel(rows.length)}
        </Button>
      )}
    </Alert>
  )
}
