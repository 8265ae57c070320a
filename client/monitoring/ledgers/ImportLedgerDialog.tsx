import { Alert, Button, Group, Stepper, Text } from '@mantine/core'
import { useState } from 'react'
import { importType } from '../../../domain/lookups/lookupIds.ts'
import { findLedgerTable } from '../../../domain/monitoring/ledger/columns.ts'
import { type CalendarMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayDateTime, displayMoney } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { ImportProgress } from '../../resources/import/ImportProgress.tsx'
import { describeRowsLeftOut } from '../../resources/import/LeftOutRows.tsx'
import { type CellProblem, ProblemTable, readCellProblems } from '../../resources/import/ProblemTable.tsx'
import { FileDropArea, FileReadingProgress } from '../../resources/sheets/FileDrop.tsx'
import { describeReadError, readBestSheet } from '../../resources/sheets/readBestSheet.ts'
import { api, type RouterOutputs, toPublicError, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { notifySuccess } from '../../shell/notify.tsx'
import { useUnfinishedImports } from '../../shell/unfinishedImports.ts'
import { confirmDiscard, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { type CheckedLedgerFile, CheckLedgerFile } from './CheckLedgerFile.tsx'
import { ImportChangesTable } from './ImportChangesTable.tsx'
import { detectLedgerFileChoices, type LedgerFile } from './ledgerFile.ts'
import { layoutNames } from './words.ts'

type Comparison = RouterOutputs['ledgers']['compare']

const rowsOf = (file: LedgerFile | null): number => file?.sheets[file.sheet]?.rows.length ?? 0

/**
 * Imports a month from a ledger file in steps. The user chooses the file; checks how it was read, what its codes map to, and that its total
 * agrees; sees what the import changes; and saves.
 */
export function ImportLedgerDialog({
  month,
  onClose,
  onDone,
}: {
  /** Used if the file names no month. */
  month: CalendarMonth
  onClose: () => void
  onDone: (month: CalendarMonth) => void
}) {
  const term = useTerm()('ActualCommitment')
  const unfinished = useUnfinishedImports()
  const [isSmall] = useState(() => window.matchMedia('(max-width: 700px)').matches)
  const open = trpc.ledgers.open.useQuery(undefined, { staleTime: 0 })
  const { mutateAsync: compare } = trpc.ledgers.compare.useMutation()
  const { mutateAsync: importFile } = trpc.ledgers.import.useMutation()
  const [step, setStep] = useState<'choose' | 'reading' | 'check' | 'comparing' | 'changes' | 'saving' | 'done'>('choose')
  const [file, setFile] = useState<LedgerFile | null>(null)
  const [type, setType] = useState<1 | 2>(importType.replace)
  /** Whether the user has changed how the file is read or mapped. */
  const [isChanged, setChanged] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [refused, setRefused] = useState<CellProblem[]>([])
  const [sent, setSent] = useState<Parameters<typeof compare>[0] | null>(null)
  const [comparison, setComparison] = useState<Comparison | null>(null)
  const [progressKey, setProgressKey] = useState(() => crypto.randomUUID())
  const [imported, setImported] = useState(0)
  const hasWork = isChanged && (step === 'check' || step === 'changes')
  useUnsavedChanges(hasWork)
  const leave = async (): Promise<void> => {
    if (!hasWork || (await confirmDiscard())) onClose()
  }
  const isBusy = step === 'reading' || step === 'comparing' || step === 'saving'

  const choose = async (chosen: File): Promise<void> => {
    setStep('reading')
    setProblem(null)
    setRefused([])
    try {
      const isLedger = (cells: string[][]): number => Number(findLedgerTable(cells) !== null)
      const [{ sheets, sheet }, { data }] = await Promise.all([readBestSheet(chosen, isLedger), open.data ? open : open.refetch()])
      if (!data) return setStep('choose')
      setFile({
        name: chosen.name,
        sheets,
        sheet,
        choices: detectLedgerFileChoices(assertDefined(sheets[sheet]), { open: data, shown: month, words: layoutNames }),
      })
      setChanged(false)
      setStep('check')
    } catch (error) {
      setProblem(describeReadError(error))
      setStep('choose')
    }
  }
  const chooseSheet = (sheet: number): void =>
    setFile(
      (before) =>
        before && {
          ...before,
          sheet,
          choices: detectLedgerFileChoices(assertDefined(before.sheets[sheet]), {
            open: assertDefined(open.data),
            shown: month,
            words: layoutNames,
          }),
        },
    )
  /** Shows on the checking step why the server refused the file. */
  const refuse = (error: unknown): void => {
    const { message } = toPublicError(error)
    setProblem(message)
    unfinished.record({ what: toMidSentence(term.plural), fileName: assertDefined(file).name, said: message })
    setRefused(readCellProblems(error))
    setStep('check')
  }
  const showComparison = async (checked: CheckedLedgerFile): Promise<void> => {
    setStep('comparing')
    setProblem(null)
    setRefused([])
    const { choices } = assertDefined(file)
    const input = {
      ...choices.month,
      type,
      ledger: choices.ledger.trim(),
      headingRow: choices.headingRow,
      columns: choices.columns,
      sign: checked.sign,
      isCumulative: choices.isCumulative,
      startMonth: assertDefined(open.data).startMonth,
      locationId: choices.locationId,
      costCentreId: choices.costCentreId,
      mapping: checked.mapping,
      rows: checked.rows,
      total: checked.total,
      monthIsMeant: choices.isMonthConfirmed,
      leftOut: [...choices.leftOut],
    }
    try {
      setComparison(await compare(input))
      setSent(input)
      setStep('changes')
    } catch (error) {
      refuse(error)
    }
  }
  const save = async (): Promise<void> => {
    setStep('saving')
    setProblem(null)
    try {
      const isAlreadyImported = assertDefined(comparison).alreadyIn !== null
      const done = await importFile({
        ...assertDefined(sent),
        versions: assertDefined(comparison).versions,
        again: isAlreadyImported,
        progressKey,
      })
      setImported(done.imported)
      notifySuccess(notices.imported(term.plural))
      unfinished.remove()
      setStep('done')
      onDone(assertDefined(file).choices.month)
    } catch (error) {
      setProgressKey(crypto.randomUUID())
      refuse(error)
    }
  }
  const position = { choose: 0, reading: 0, check: 1, comparing: 1, changes: 2, saving: 2, done: 3 }[step]
  return (
    <Dialog
      onClose={() => void leave()}
      size={1040}
      fullScreen={isSmall}
      title={`Import ${toMidSentence(term.plural)}`}
      closeOnClickOutside={false}
      closeOnEscape={!isBusy}
    >
      <Stepper active={position} size="xs" mb="md" allowNextStepsSelect={false} wrap={false}>
        <Stepper.Step label={isSmall ? 'File' : 'Choose a file'} />
        <Stepper.Step label={isSmall ? 'Check' : 'Check and map'} />
        <Stepper.Step label={isSmall ? 'Changes' : 'What changes'} />
      </Stepper>
      {problem && (
        <Alert color="red" mb="md" role="alert">
          {problem}
        </Alert>
      )}
      {open.isError && (
        <Alert color="red" mb="md" role="alert">
          {toPublicError(open.error).message}
        </Alert>
      )}
      {step === 'choose' && (
        <FileDropArea
          what="a file from your ledger"
          hint="A trial balance, a budget monitoring report, a list of transactions or our template, as .xlsx or CSV. Nothing is saved until you have seen what changes."
          template={() => api.monitoring.template.query()}
          onFile={(chosen) => void choose(chosen)}
        />
      )}
      {step === 'reading' && <FileReadingProgress />}
      {step === 'check' && file && open.data && (
        <>
          {refused.length > 0 && (
            <ProblemTable
              problems={refused}
              name={term.plural}
              headingRow={file.choices.headingRow}
              onLeaveOut={
                file.choices.isCumulative
                  ? undefined
                  : (numbers) => {
                      setRefused(refused.filter(({ row }) => !numbers.includes(row)))
                      setFile({ ...file, choices: { ...file.choices, leftOut: new Set([...file.choices.leftOut, ...numbers]) } })
                      setChanged(true)
                    }
              }
            />
          )}
          <CheckLedgerFile
            open={open.data}
            file={file}
            type={type}
            onType={setType}
            onSheet={chooseSheet}
            onChoices={(choices) => {
              setRefused([])
              setProblem(null)
              setFile({ ...file, choices })
              setChanged(true)
            }}
            onBack={() => {
              setStep('choose')
              setProblem(null)
              setRefused([])
            }}
            onNext={(checked) => void showComparison(checked)}
          />
        </>
      )}
      {step === 'comparing' && <ImportProgress progressKey={progressKey} rows={rowsOf(file)} />}
      {step === 'changes' && comparison && sent && open.data && (
        <>
          {comparison.alreadyIn && (
            <Alert color="orange" mb="md" title="The same file again">
              This file was imported for {formatMonth(comparison.alreadyIn)} on {displayDateTime(comparison.alreadyIn.at)}. Import it again
              only if you mean to.
            </Alert>
          )}
          {comparison.later.length > 0 && (
            <Alert color="orange" mb="md">
              {comparison.later.map(formatMonth).join(', ')} {comparison.later.length === 1 ? 'was' : 'were'} calculated from the figures
              you are about to replace. Import {comparison.later.length === 1 ? 'it' : 'them'} again after this month.
            </Alert>
          )}
          <ImportChangesTable comparison={comparison} month={sent} open={open.data} />
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => setStep('check')}>
              Back
            </Button>
            <Button onClick={() => void save()} data-autofocus>
              {comparison.alreadyIn ? 'Import it again' : `Import ${displayCount(comparison.kept, 'line')}`}
            </Button>
          </Group>
        </>
      )}
      {step === 'saving' && <ImportProgress progressKey={progressKey} rows={comparison?.kept ?? 0} />}
      {step === 'done' && comparison && sent && (
        <>
          <Text role="status">
            {displayCount(imported, 'line')} imported for {formatMonth(sent)} from {sent.ledger}:{' '}
            {displayMoney(comparison.proof.imported.amount)} of the file’s {displayMoney(comparison.proof.file.amount)}
            {comparison.proof.leftOut.rows > 0 && `, ${displayMoney(comparison.proof.leftOut.amount)} left out on purpose`}.
            {describeRowsLeftOut(sent.leftOut ?? [], null)}
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
