import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { splitRowsIntoCells } from '../../domain/files/sheets.ts'
import {
  comparatorTemplate,
  countComparatorHeadings,
  noComparatorsSentence,
  readComparatorFile,
} from '../../domain/reports/measures/comparatorFile.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount } from '../../domain/values/format.ts'
import { FileDropArea, FileReadingProgress } from '../resources/sheets/FileDrop.tsx'
import { describeReadError, readBestSheet } from '../resources/sheets/readBestSheet.ts'
import { trpc } from '../shell/api.ts'
import { useDialogSave } from '../shell/useSave.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../ui/dialogs/FormModal.tsx'
import classes from './Comparators.module.css'
import { comparatorsPath } from './comparatorsPath.ts'
import { UnusedRows } from './UnusedRows.tsx'

/** A file of comparators that has been read. */
interface ParsedFile {
  file: string
  rows: string[]
  read: NonNullable<ReturnType<typeof readComparatorFile>>
}

/** Reads a file of comparator schools, shows how it was read, and saves it as a set. */
export function ComparatorDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<ParsedFile | null>(null)
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (file: File): Promise<void> => {
    setProblem(null)
    setReading(true)
    try {
      const { sheets, sheet } = await readBestSheet(file, countComparatorHeadings)
      const { rows } = assertDefined(sheets[sheet])
      const read = readComparatorFile(splitRowsIntoCells(rows))
      if (!read) throw new Error(noComparatorsSentence)
      setChosen({ file: file.name, rows, read })
    } catch (error) {
      setProblem(describeReadError(error))
    }
    setReading(false)
  }
  return (
    <Dialog onClose={onClose} title="Import comparators" size="xl">
      {problem && (
        <Alert color="red" mb="sm" role="alert">
          {problem}
        </Alert>
      )}
      {isReading ? (
        <FileReadingProgress />
      ) : chosen ? (
        <Check chosen={chosen} onClose={onClose} onAnother={() => setChosen(null)} />
      ) : (
        <FileDropArea
          what="a file from the benchmarking service"
          hint="A row for each school with its figures in columns, or a row for each school and measure, as CSV or .xlsx. Nothing is saved until you have seen how it was read."
          template={async () => comparatorTemplate}
          onFile={(file) => void choose(file)}
        />
      )}
    </Dialog>
  )
}

function Check({ chosen: { file, rows, read }, onClose, onAnother }: { chosen: ParsedFile; onClose: () => void; onAnother: () => void }) {
  const navigate = useNavigate()
  const [name, setName] = useState(file.replace(/\.\w+$/, ''))
  const [year, setYear] = useState(read.year ?? '')
  const { mutateAsync } = trpc.comparators.import.useMutation()
  const { problem, isSaving, save } = useDialogSave(
    async () => {
      const created = await mutateAsync({ name: name.trim(), source: file, year: year.trim() || null, rows })
      onClose()
      await navigate(`${comparatorsPath}/${created.id}`)
    },
    'Imported comparators',
    () => undefined,
  )
  const [used, others] = [read.columns.filter((column) => column.use), read.columns.filter((column) => !column.use)]
  return (
    <DialogForm
      action={`Import ${displayCount(read.schools.length, 'school')}`}
      isSaving={isSaving}
      isDisabled={!name.trim() || !read.schools.length}
      more={
        <Button variant="subtle" onClick={onAnother}>
          Another file
        </Button>
      }
      onSave={save}
      onClose={onClose}
    >
      {problem && (
        <Alert color="red" mb="sm" role="alert">
          {problem}
        </Alert>
      )}
      <Text mb="sm">
        <b>{displayCount(read.schools.length, 'school')}</b> with figures, from {file}.
        {!read.schools.length && ' None of them has figures for the measures that are compared. Choose another file.'}
      </Text>
      <Group grow align="start" mb="sm">
        <TextInput
          label="Name of the set"
          maxLength={100}
          required
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Year of the figures"
          placeholder="2024/25"
          maxLength={20}
          value={year}
          onChange={({ currentTarget }) => setYear(currentTarget.value)}
        />
      </Group>
      <details open className={classes.part}>
        <summary>{displayCount(used.length, 'column')} recognised</summary>
        <dl className={classes.columns}>
          {used.map(({ heading, use }) => (
            <div key={heading}>
              <dt>{heading}</dt>
              <dd>{use}</dd>
            </div>
          ))}
        </dl>
      </details>
      {others.length > 0 && (
        <details className={classes.part}>
          <summary>{displayCount(others.length, 'column')} not compared</summary>
          <p>{others.map(({ heading }) => heading).join(', ')}</p>
        </details>
      )}
      <UnusedRows rows={read.unused} />
    </DialogForm>
  )
}
