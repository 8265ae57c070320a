import { Alert, Button, Checkbox, Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Sheet } from '../../../domain/files/sheets.ts'
import { splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { type CalendarMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { findPayrollTable } from '../../../domain/payroll/provider/columns.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayMoney, toPennies } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { ImportProgress } from '../../resources/import/ImportProgress.tsx'
import { describeRowsLeftOut } from '../../resources/import/LeftOutRows.tsx'
import { type CellProblem, ProblemTable, readCellProblems } from '../../resources/import/ProblemTable.tsx'
import { FileDropArea, FileReadingProgress } from '../../resources/sheets/FileDrop.tsx'
import { describeReadError, readBestSheet } from '../../resources/sheets/readBestSheet.ts'
import { api, type RouterOutputs, toPublicError, trpc } from '../../shell/api.ts'
import { useUnfinishedImports } from '../../shell/unfinishedImports.ts'
import { confirmDiscard, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { type CheckedPayrollFile, CheckPayrollFile } from './CheckPayrollFile.tsx'
import { detectPayrollChoices, type PayrollFileChoices } from './payrollFile.ts'

type Imported = RouterOutputs['payroll']['providers']['import']

/** Imports a month from a payroll file in steps. The user chooses the file, checks how it was read and what its codes map to, and saves. */
export function ImportPayrollDialog({
  month,
  location,
  onClose,
  onDone,
}: {
  month: CalendarMonth
  /** The location of the file; null if each row names its location. */
  location: { id: LocationId; name: string } | null
  onClose: () => void
  onDone: (done: Imported) => void
}) {
  const [isSmall] = useState(() => window.matchMedia('(max-width: 700px)').matches)
  const open = trpc.payroll.providers.open.useQuery(undefined, { staleTime: 0 })
  const { mutateAsync: importFile } = trpc.payroll.providers.import.useMutation()
  const unfinished = useUnfinishedImports()
  const [step, setStep] = useState<'choose' | 'reading' | 'check' | 'saving' | 'done'>('choose')
  const [file, setFile] = useState<{ name: string; sheets: Sheet[]; sheet: number; choices: PayrollFileChoices } | null>(null)
  /** Whether the user has changed how the file is read or mapped. */
  const [isChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [refused, setRefused] = useState<CellProblem[]>([])
  /** Whether the same file was already imported for another month. The next state is whether the user has confirmed this. */
  const [isElsewhere, setElsewhere] = useState(false)
  const [isMeant, setMeant] = useState(false)
  const [progressKey, setProgressKey] = useState(() => crypto.randomUUID())
  const [done, setDone] = useState<Imported | null>(null)
  const monthName = formatMonth(month)
  const hasWork = isChanged && step === 'check'
  useUnsavedChanges(hasWork)
  const leave = async (): Promise<void> => {
    if (!hasWork || (await confirmDiscard())) onClose()
  }
  const shown = file?.sheets[file.sheet]
  const cells = useMemo(() => (shown ? splitRowsIntoCells(shown.rows) : []), [shown])

  const clear = (): void => {
    setProblem(null)
    setRefused([])
    setElsewhere(false)
    setMeant(false)
  }
  const choose = async (chosen: File): Promise<void> => {
    setStep('reading')
    clear()
    try {
      const isPayroll = (rows: string[][]): number => Number(findPayrollTable(rows) !== null)
      const [{ sheets, sheet }, { data }] = await Promise.all([readBestSheet(chosen, isPayroll), open.data ? open : open.refetch()])
      if (!data) return setStep('choose')
      setFile({
        name: chosen.name,
        sheets,
        sheet,
        choices: detectPayrollChoices(splitRowsIntoCells(assertDefined(sheets[sheet]).rows), data),
      })
      setChanged(false)
      setStep('check')
    } catch (error) {
      setProblem(describeReadError(error))
      setStep('choose')
    }
  }
  const save = async (checked: CheckedPayrollFile): Promise<void> => {
    setStep('saving')
    setProblem(null)
    setRefused([])
    const { provider, headingRow, columns, isMonthConfirmed, leftOut } = assertDefined(file).choices
    try {
      const answer = await importFile({
        year: month.year,
        month: month.month,
        provider: provider.trim(),
        headingRow,
        columns,
        monthIsMeant: isMonthConfirmed,
        leftOut: [...leftOut],
        locationId: location?.id ?? null,
        again: isMeant,
        progressKey,
        ...checked,
      })
      unfinished.remove()
      setDone(answer)
      onDone(answer)
      setStep('done')
    } catch (error) {
      const { message, code } = toPublicError(error)
      setProblem(message)
      unfinished.record({ what: `the payroll for ${monthName}`, fileName: assertDefined(file).name, said: message })
      setRefused(readCellProblems(error))
      setElsewhere(code === 'sameFile')
      setProgressKey(crypto.randomUUID())
      setStep('check')
    }
  }
  return (
    <Dialog
      onClose={() => void leave()}
      size={1040}
      fullScreen={isSmall}
      title={`Import the payroll for ${monthName}${location ? ` for ${location.name}` : ''}`}
      closeOnClickOutside={false}
      closeOnEscape={step !== 'saving' && step !== 'reading'}
    >
      {(problem || open.isError) && (
        <Alert color="red" mb="md" role="alert">
          {problem ?? toPublicError(open.error).message}
        </Alert>
      )}
      {step === 'choose' && (
        <FileDropArea
          what="a file from your payroll provider"
          hint="As .xlsx or CSV, with a row for each element or a column for each element, including its titles and totals. Nothing is saved until you have seen how it was read."
          template={() => api.payroll.template.query({ isConsole: location === null })}
          onFile={(chosen) => void choose(chosen)}
        />
      )}
      {step === 'reading' && <FileReadingProgress />}
      {step === 'check' && file && open.data && (
        <>
          {refused.length > 0 && (
            <ProblemTable
              problems={refused}
              name={file.name}
              headingRow={file.choices.headingRow}
              onLeaveOut={(numbers) => {
                setRefused(refused.filter(({ row }) => !numbers.includes(row)))
                setFile({ ...file, choices: { ...file.choices, leftOut: new Set([...file.choices.leftOut, ...numbers]) } })
                setChanged(true)
              }}
            />
          )}
          {isElsewhere && (
            <Checkbox
              mb="sm"
              label={`Import it for ${monthName} anyway`}
              checked={isMeant}
              onChange={(event) => setMeant(event.currentTarget.checked)}
            />
          )}
          <CheckPayrollFile
            open={open.data}
            name={file.name}
            sheets={file.sheets}
            sheet={file.sheet}
            cells={cells}
            choices={file.choices}
            month={month}
            locationId={location?.id ?? null}
            onSheet={(sheet) =>
              setFile({
                ...file,
                sheet,
                choices: detectPayrollChoices(splitRowsIntoCells(assertDefined(file.sheets[sheet]).rows), open.data),
              })
            }
            onChoices={(choices) => {
              setProblem(null)
              setRefused([])
              setFile({ ...file, choices })
              setChanged(true)
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
            {displayCount(done.imported, 'amount')} imported for {monthName}: {displayMoney(toPennies(done.sum))}, to the penny.
            {describeRowsLeftOut([...(file?.choices.leftOut ?? [])], null)}
          </Text>
          <Group justify="flex-end" mt="md">
            <Button onClick={onClose} autoFocus>
              Done
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}
