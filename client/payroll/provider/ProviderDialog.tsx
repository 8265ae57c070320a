import '@mantine/dropzone/styles.css'
import { Alert, Button, Checkbox, Group, Modal, Progress, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { displayCount, money, penniesOf } from '../../../domain/format.ts'
import { type CalendarMonth, monthWords } from '../../../domain/monitoring/monitoring.ts'
import { findPayTable } from '../../../domain/payroll/provider/columns.ts'
import { ImportProgress } from '../../resources/ImportProgress.tsx'
import { type Problem, ProblemTable } from '../../resources/ProblemTable.tsx'
import { readSheetFile } from '../../resources/sheets/readSheetFile.ts'
import type { Sheet } from '../../resources/sheets/readSheets.ts'
import { type Answers, api, problemOf, trpc } from '../../shell/api.ts'
import { download, failed } from '../../shell/notify.tsx'
import { type CheckedFile, CheckFile } from './CheckFile.tsx'
import { type Choices, firstChoices } from './reading.ts'

type Imported = Answers['payroll']['providers']['import']

const cellsOf = ({ rows }: Sheet) => rows.map((row) => row.split('\t'))

/** The sheet of a workbook that reads most like a payroll: the one whose table has the most rows. */
function bestSheet(sheets: readonly Sheet[]): number {
  const sizes = sheets.map((sheet) => (findPayTable(cellsOf({ ...sheet, rows: sheet.rows.slice(0, 300) })) ? sheet.rows.length : -1))
  return Math.max(0, sizes.indexOf(Math.max(...sizes)))
}

/** The import of a month as a payroll provider writes it: choose a file, see how it was read and what its codes are, and only then save it. */
export function ProviderDialog({
  month,
  location,
  onClose,
  onDone,
}: {
  month: CalendarMonth
  /** The location that the file is for; null: its rows say where they belong. */
  location: { id: number; name: string } | null
  onClose: () => void
  onDone: (done: Imported) => void
}) {
  const [isSmall] = useState(() => window.matchMedia('(max-width: 700px)').matches)
  const open = trpc.payroll.providers.open.useQuery(undefined, { staleTime: 0 })
  const { mutateAsync: importFile } = trpc.payroll.providers.import.useMutation()
  const [step, setStep] = useState<'choose' | 'reading' | 'check' | 'saving' | 'done'>('choose')
  const [file, setFile] = useState<{ name: string; sheets: Sheet[]; sheet: number; choices: Choices } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [refused, setRefused] = useState<Problem[]>([])
  /** The same file is in for another month, and whether that is meant. */
  const [isElsewhere, setElsewhere] = useState(false)
  const [isMeant, setMeant] = useState(false)
  const [progressKey, setProgressKey] = useState(() => crypto.randomUUID())
  const [done, setDone] = useState<Imported | null>(null)
  const words = monthWords(month)
  const shown = file?.sheets[file.sheet]
  const cells = useMemo(() => (shown ? cellsOf(shown) : []), [shown])

  const clear = (): void => {
    setProblem(null)
    setRefused([])
    setElsewhere(false)
    setMeant(false)
  }
  const choose = async (files: File[]): Promise<void> => {
    setStep('reading')
    clear()
    try {
      const [sheets, { data }] = await Promise.all([readSheetFile(files[0]!), open.data ? open : open.refetch()])
      if (!data) return setStep('choose')
      const sheet = bestSheet(sheets)
      if (!sheets[sheet]?.rows.length) throw new Error('The file has no rows. Choose another file.')
      setFile({ name: files[0]!.name, sheets, sheet, choices: firstChoices(cellsOf(sheets[sheet]), data) })
      setStep('check')
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file could not be read. Save it as CSV and choose it again.')
      setStep('choose')
    }
  }
  const template = async (): Promise<void> => {
    try {
      download(await api.payroll.template.query({ isConsole: location === null }))
    } catch (error) {
      failed(error)
    }
  }
  const save = async (checked: CheckedFile): Promise<void> => {
    setStep('saving')
    setProblem(null)
    setRefused([])
    const { provider, headingRow, columns, monthIsMeant } = file!.choices
    try {
      const answer = await importFile({
        year: month.year,
        month: month.month,
        provider: provider.trim(),
        headingRow,
        columns,
        monthIsMeant,
        locationId: location?.id ?? null,
        again: isMeant,
        progressKey,
        ...checked,
      })
      setDone(answer)
      onDone(answer)
      setStep('done')
    } catch (error) {
      const { message, details, code } = problemOf(error)
      setProblem(message)
      setRefused((details as { errors?: Problem[] } | undefined)?.errors?.filter((one) => one.row > 0) ?? [])
      setElsewhere(code === 'sameFile')
      setProgressKey(crypto.randomUUID())
      setStep('check')
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={1040}
      fullScreen={isSmall}
      title={`Import the payroll of ${words}${location ? ` for ${location.name}` : ''}`}
      closeOnClickOutside={false}
      closeOnEscape={step !== 'saving' && step !== 'reading'}
    >
      {(problem || open.isError) && (
        <Alert color="red" mb="md" role="alert">
          {problem ?? problemOf(open.error).message}
        </Alert>
      )}
      {step === 'choose' && (
        <>
          <Dropzone
            onDrop={(files) => void choose(files)}
            multiple={false}
            aria-label="Drop a file of your payroll provider here or press to choose one"
          >
            <Group justify="center" mih={120} gap="md" wrap="nowrap">
              <IconFileSpreadsheet size={34} stroke={1.4} style={{ flex: 'none' }} />
              <div>
                <Text fw={600}>Drop a file of your payroll provider here, or press to choose one</Text>
                <Text size="sm" c="dimmed">
                  As .xlsx or CSV, with a row for each element or a column for each element, titles and totals as they are. Nothing is saved
                  before you have seen how it was read.
                </Text>
              </div>
            </Group>
          </Dropzone>
          <Button variant="subtle" mt="sm" onClick={() => void template()}>
            Download the template
          </Button>
        </>
      )}
      {step === 'reading' && (
        <>
          <Text role="status" mb="xs">
            Reading the file.
          </Text>
          <Progress value={30} animated aria-label="Reading" />
        </>
      )}
      {step === 'check' && file && open.data && (
        <>
          {refused.length > 0 && <ProblemTable problems={refused} name={file.name} />}
          {isElsewhere && (
            <Checkbox
              mb="sm"
              label={`Import it for ${words} all the same`}
              checked={isMeant}
              onChange={(event) => setMeant(event.currentTarget.checked)}
            />
          )}
          <CheckFile
            open={open.data}
            name={file.name}
            sheets={file.sheets}
            sheet={file.sheet}
            cells={cells}
            choices={file.choices}
            month={month}
            locationId={location?.id ?? null}
            onSheet={(sheet) => setFile({ ...file, sheet, choices: firstChoices(cellsOf(file.sheets[sheet]!), open.data) })}
            onChoices={(choices) => {
              setProblem(null)
              setRefused([])
              setFile({ ...file, choices })
            }}
            onBack={() => {
              clear()
              setStep('choose')
            }}
            onNext={(checked) => void save(checked)}
          />
        </>
      )}
      {step === 'saving' && <ImportProgress progressKey={progressKey} rows={cells.length} />}
      {step === 'done' && done && (
        <>
          <Text role="status">
            {displayCount(done.imported, 'amount')} imported for {words}: {money(penniesOf(done.sum))}, to the penny.
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
