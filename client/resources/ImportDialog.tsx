import { Alert, Button, Group, Modal, Stepper, Table, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lookups } from '../../domain/lookups.ts'
import { notices } from '../../domain/notices.ts'
import { columnsOf, matchColumns } from '../../domain/resources/columns.ts'
import type { Field } from '../../domain/resources/fields.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { inSentence } from '../../domain/terms.ts'
import { problemOf } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { type download, said } from '../shell/notify.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { downloadProblems, type Problem, refusedCells } from './ProblemTable.tsx'
import { type ReadFile, readCsv } from './readFile.ts'
import { unreadable } from './sheets/chosenSheet.ts'
import { FileDrop } from './sheets/FileDrop.tsx'

/** Rows that do not have the values the screen fixes: they would be saved and not be seen here. */
function outsideOf(
  resource: AnyResource,
  fixed: Record<string, number>,
  matched: ReadonlyMap<string, { field: string }>,
  rows: readonly Record<string, string>[],
): Problem[] {
  return Object.entries(fixed).flatMap(([name, wanted]) => {
    const heading = [...matched].find(([, column]) => column.field === name)?.[0]
    const field = resource.fields[name]!
    const word = field.kind === 'choice' ? (lookups[field.lookup].find((item) => item.id === wanted)?.name ?? '') : ''
    return rows.flatMap((row, index) => {
      const cell = (heading ? (row[heading] ?? '') : '').trim()
      const fits = cell === '' || cell === String(wanted) || cell.toLowerCase() === word.toLowerCase()
      return fits
        ? []
        : [{ row: index + 1, column: heading ?? name, value: cell, message: `${field.label} must be ${word} on this screen.` }]
    })
  })
}

/** What an import needs of the server. */
export interface ImportCalls {
  import(input: {
    rows: Record<string, string>[]
    progressKey: string
    ownOnly?: boolean
  }): Promise<{ imported: number; created: number; updated: number }>
  template: { query(): Promise<Parameters<typeof download>[0]> }
}

/** The import of any declared entity: choose a file, check the columns, see the rows, import, see the result (behaviour B-134). */
export function ImportDialog({
  resource,
  calls,
  ownOnly,
  fixed = {},
  isHidden,
  options,
  onClose,
  onDone,
}: {
  resource: AnyResource
  calls: ImportCalls
  /** The rows are the organisation's own, whoever imports them. */
  ownOnly?: boolean
  /** Values every row must have on this screen. */
  fixed?: Record<string, number>
  isHidden: (field: Field) => boolean
  /** What else is asked before the rows are imported. */
  options?: ReactNode
  onClose: () => void
  /** What follows an import. */
  onDone?: () => void
}) {
  const term = useTerm()(resource.key)
  const [progressKey, setProgressKey] = useState(() => crypto.randomUUID())
  const [step, setStep] = useState(0)
  const [file, setFile] = useState<ReadFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [errors, setErrors] = useState<Problem[]>([])
  const [result, setResult] = useState<{ imported: number; created: number; updated: number } | null>(null)
  const columns = columnsOf(resource, isHidden)
  const labels = Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
  const match = file && matchColumns(columns, file.headings, labels)
  const choose = async (chosen: File): Promise<void> => {
    setProblem(null)
    setErrors([])
    try {
      setFile(await readCsv(chosen))
      setStep(1)
    } catch (error) {
      setProblem(unreadable(error))
    }
  }
  const run = async (): Promise<void> => {
    setStep(2)
    setProblem(null)
    const strangers = outsideOf(resource, fixed, match!.matched, file!.rows)
    setErrors(strangers)
    if (strangers.length) {
      setProblem('Some rows belong to another screen. Nothing was imported.')
      return setStep(1)
    }
    try {
      setResult(await calls.import({ rows: file!.rows, ownOnly, progressKey }))
      said(notices.imported(term.plural))
      setStep(3)
      onDone?.()
    } catch (error) {
      setProblem(problemOf(error).message)
      setProgressKey(crypto.randomUUID())
      setErrors(refusedCells(error))
      setStep(1)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={860}
      title={`Import ${inSentence(term.plural)}`}
      closeOnClickOutside={step !== 2}
      closeOnEscape={step !== 2}
    >
      <Stepper active={step} size="xs" mb="md" allowNextStepsSelect={false}>
        <Stepper.Step label="Choose a file" />
        <Stepper.Step label="Check" />
        <Stepper.Step label="Import" />
      </Stepper>
      {problem && (
        <Alert color="red" mb="md" role="alert">
          {problem}
        </Alert>
      )}
      {step === 0 && (
        <FileDrop
          what="a CSV file"
          hint={`Columns: ${columns.map((column) => (column.required ? `${column.heading} (required)` : column.heading)).join(', ')}`}
          template={() => calls.template.query()}
          onFile={(chosen) => void choose(chosen)}
        />
      )}
      {step === 1 && file && match && (
        <>
          <Text size="sm" mb="xs">
            <b>{file.name}</b>: {file.rows.length} {file.rows.length === 1 ? 'row' : 'rows'}, {match.matched.size} of {file.headings.length}{' '}
            columns are used.
          </Text>
          {match.missing.length > 0 && (
            <Alert color="red" mb="sm">
              These columns are missing: {match.missing.join(', ')}.
            </Alert>
          )}
          {match.ignored.length > 0 && (
            <Alert color="orange" mb="sm">
              Not known and left out: {match.ignored.join(', ')}.
            </Alert>
          )}
          {errors.length > 0 ? (
            <>
              <Table.ScrollContainer minWidth={500} mah={360}>
                <Table stickyHeader striped>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th ta="right">Row</Table.Th>
                      <Table.Th>Column</Table.Th>
                      <Table.Th>Value</Table.Th>
                      <Table.Th>Problem</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {errors.slice(0, 300).map((error, index) => (
                      <Table.Tr key={index}>
                        <Table.Td ta="right">{error.row}</Table.Td>
                        <Table.Td>{error.column}</Table.Td>
                        <Table.Td>{error.value}</Table.Td>
                        <Table.Td>{error.message}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              {errors.length > 300 && <Text size="sm">The first 300 of {errors.length} problems. Download them to see all.</Text>}
            </>
          ) : (
            <Table.ScrollContainer minWidth={500}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    {[...match.matched.values()].map((column) => (
                      <Table.Th key={column.heading}>{column.heading}</Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {file.rows.slice(0, 5).map((row, index) => (
                    <Table.Tr key={index}>
                      {[...match.matched.keys()].map((heading) => (
                        <Table.Td key={heading}>{row[heading]}</Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
          {options}
          <Group justify="flex-end" mt="md">
            {errors.length > 0 && (
              <Button variant="default" onClick={() => downloadProblems(errors, term.plural)} mr="auto">
                Download the problems
              </Button>
            )}
            <Button
              variant="default"
              onClick={() => {
                setStep(0)
                setErrors([])
                setProblem(null)
              }}
            >
              Choose another file
            </Button>
            <Button onClick={() => void run()} disabled={match.missing.length > 0}>
              {errors.length > 0 ? 'Try again' : `Import ${file.rows.length} ${file.rows.length === 1 ? 'row' : 'rows'}`}
            </Button>
          </Group>
        </>
      )}
      {step === 2 && <ImportProgress progressKey={progressKey} rows={file?.rows.length ?? 0} />}
      {step === 3 && result && (
        <>
          <Text role="status">
            {result.imported} rows imported: {result.created} new, {result.updated} changed,{' '}
            {result.imported - result.created - result.updated} as they were.
          </Text>
          <Group justify="flex-end" mt="md">
            <Button onClick={onClose} data-autofocus>
              Done
            </Button>
          </Group>
        </>
      )}
    </Modal>
  )
}
