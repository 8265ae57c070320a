import { Alert, Button, Table, Text } from '@mantine/core'
import Papa from 'papaparse'
import { displayCount } from '../../../domain/values/format.ts'
import { problemOf } from '../../shell/api.ts'
import { download } from '../../shell/notify.tsx'

export interface Problem {
  row: number
  column: string | null
  value: string | null
  message: string
}

const shown = 100

/** The cells for which the server refused a file. */
export function refusedCells(error: unknown): Problem[] {
  const { details } = problemOf(error)
  // Refused imports always have this shape.
  return (details as { errors?: Problem[] } | undefined)?.errors?.filter((one) => one.row > 0) ?? []
}

/** Downloads the problems of a file, a row per cell. */
export function downloadProblems(problems: readonly Problem[], name: string): void {
  const data = problems.map((one) => [one.row, one.column, one.value, one.message])
  download({
    fileName: `${name} problems.csv`,
    contentType: 'text/csv',
    body: `\uFEFF${Papa.unparse({ fields: ['Row', 'Column', 'Value', 'Problem'], data }, { escapeFormulae: true })}`,
  })
}

/** The cells that prevent an import: position, value and what to do. */
export function ProblemTable({ problems, name }: { problems: readonly Problem[]; name: string }) {
  return (
    <Alert color="red" mb="md" title={`${displayCount(problems.length, 'cell')} cannot be imported. Nothing is saved.`}>
      <Table.ScrollContainer minWidth={480} mah={260}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">Row</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>What to do</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.slice(0, shown).map((one, index) => (
              <Table.Tr key={index}>
                <Table.Td ta="right">{one.row}</Table.Td>
                <Table.Td>{one.column}</Table.Td>
                <Table.Td>{one.value}</Table.Td>
                <Table.Td>{one.message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {problems.length > shown && <Text size="sm">The first {shown} are shown. Download them to see all.</Text>}
      <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => downloadProblems(problems, name)}>
        Download the problems
      </Button>
    </Alert>
  )
}
