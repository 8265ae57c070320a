import { Button, Group, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import clsx from 'clsx'
import { useState } from 'react'
import { monitoringNoteType } from '../../domain/lookups/lookupIds.ts'
import { type CalendarMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { forecastPermissions } from '../../domain/monitoring/rights.ts'
import type { MonitoringScreen } from '../../domain/monitoring/rows.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayPercent, toPennies } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { confirmDiscard, useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { SideDialog } from '../ui/dialogs/Dialog.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { CodeTransactions } from './CodeTransactions.tsx'
import { ForecastMonths } from './forecast/ForecastMonths.tsx'
import type { MonitoringParameters, MonitoringRow, MonitoringScope } from './scope.ts'
import { MonthlyFiguresCard } from './YearCard.tsx'

/** The lines of a code, its note and adjustment, and the forecast of its open months (behaviours B-229 to B-233). */
export function CodeDrawer({
  row,
  parameters,
  month,
  versus,
  scope,
  isIncome,
  isReadOnly,
  isEnded,
  isOfOther,
  onClose,
}: {
  row: MonitoringRow
  isIncome: boolean
  parameters: MonitoringParameters
  month: CalendarMonth
  versus: MonitoringScreen
  scope: MonitoringScope
  isReadOnly: boolean
  /** Whether the month is closed. If so, the drawer is read-only. */
  isEnded: boolean
  /** Whether the month’s figures belong to another budget. If so, the drawer is read-only. */
  isOfOther: boolean
  onClose: () => void
}) {
  const mayForecast = usePermissionCheck()(forecastPermissions)
  const [typed, setTyped] = useState<number[] | null>(null)
  const close = async (): Promise<void> => {
    if (await confirmDiscard()) onClose()
  }
  const name = `${row.code ?? ''} ${row.description}`.trim()
  return (
    <SideDialog onClose={() => void close()} position="right" size="xl" title={`${name}, ${formatMonth(month)}`}>
      <SectionStack>
        {isEnded && <p className={textStyles.since}>{formatMonth(month)} is closed. Reopen it on Month end to change anything.</p>}
        <Explanation row={row} month={month} versus={versus} scope={scope} isReadOnly={isReadOnly} />
        <MonthlyFiguresCard of={assertDefined(row.budgetCodeId)} parameters={parameters} typed={typed} />
        {versus === 'forecast' && (
          <ForecastMonths
            row={row}
            codeId={assertDefined(row.budgetCodeId)}
            isIncome={isIncome}
            parameters={parameters}
            scope={scope}
            isReadOnly={!mayForecast || isEnded || isOfOther}
            onTyped={setTyped}
          />
        )}
        <CodeTransactions codeId={assertDefined(row.budgetCodeId)} parameters={parameters} isConsole={scope.kind === 'console'} />
      </SectionStack>
    </SideDialog>
  )
}

/** The note, the action and the adjustment of a code, saved together. */
function Explanation({
  row,
  month,
  versus,
  scope,
  isReadOnly,
}: {
  row: MonitoringRow
  month: CalendarMonth
  versus: MonitoringScreen
  scope: MonitoringScope
  isReadOnly: boolean
}) {
  const [note, setNote] = useState(row.note ?? '')
  const [action, setAction] = useState(row.action ?? '')
  const [adjustment, setAdjustment] = useState<number | null>(row.adjustment || null)
  const [problems, setProblems] = useState<{ note?: string; action?: string; adjustment?: string }>({})
  const [isSaving, setSaving] = useState(false)
  const [seen, setSeen] = useState(row)
  const [otherUsersNote, setOtherUsersNote] = useState<string | null>(null)
  // After another user's save or a copy from last month, update the fields that this user has not edited.
  if (seen.note !== row.note || seen.action !== row.action || seen.adjustment !== row.adjustment) {
    if (seen.action !== row.action && action.trim() === (seen.action ?? '')) setAction(row.action ?? '')
    if (seen.note !== row.note) {
      if (note.trim() === (seen.note ?? '')) setNote(row.note ?? '')
      else setOtherUsersNote(note.trim() === (row.note ?? '') ? null : row.note)
    }
    if ((adjustment ?? 0) === seen.adjustment) setAdjustment(row.adjustment || null)
    setSeen(row)
  }
  const { mutateAsync: sendNote } = trpc.monitoring.note.useMutation()
  const { mutateAsync: removeNote } = trpc.monitoring.noteDelete.useMutation()
  const { mutateAsync: sendAdjustment } = trpc.monitoring.adjustment.useMutation()
  const { mutateAsync: removeAdjustment } = trpc.monitoring.adjustmentDelete.useMutation()
  const { mutateAsync: copyFromLastMonth } = trpc.monitoring.takeOver.useMutation()
  const type = versus === 'actuals' ? monitoringNoteType.versusActuals : monitoringNoteType.versusForecast
  const group = scope.kind === 'budget' ? scope.groupId : null
  const about = { ...month, type, group } as const
  const budgetCodeId = assertDefined(row.budgetCodeId)
  const isNoteChanged = note.trim() !== (row.note ?? '') || action.trim() !== (row.action ?? '')
  const isAdjustmentChanged = (adjustment ?? 0) !== row.adjustment
  // Values just saved here count as saved even before the refetch returns them.
  const typed = JSON.stringify([note, action, adjustment])
  const [savedValues, setSavedValues] = useState<string | null>(null)
  useUnsavedChanges((isNoteChanged || isAdjustmentChanged) && typed !== savedValues)
  const saveNote = async (): Promise<string> => {
    const notes = note.trim()
    if (notes) await sendNote({ ...about, budgetCodeId, notes, action: action.trim() || null })
    else await removeNote({ ...about, budgetCode: budgetCodeId })
    return notes ? notices.savedNote : notices.removedNote
  }
  const saveAdjustment = async (): Promise<string> => {
    const value = adjustment ?? 0
    if (value) await sendAdjustment({ ...about, budgetCodeId, value })
    else await removeAdjustment({ ...about, budgetCode: budgetCodeId })
    return notices.savedAdjustment
  }
  const save = async (): Promise<void> => {
    if (isReadOnly || isSaving || !(isNoteChanged || isAdjustmentChanged)) return
    if (action.trim() && !note.trim()) return setProblems({ note: 'Enter a reason as well.' })
    setSaving(true)
    setProblems({})
    const found: typeof problems = {}
    const done: string[] = []
    const saveIfChanged = async (field: keyof typeof problems, isChanged: boolean, run: () => Promise<string>): Promise<void> => {
      if (!isChanged) return
      try {
        done.push(await run())
      } catch (error) {
        found[field] = toPublicError(error).message
      }
    }
    await saveIfChanged('note', isNoteChanged, saveNote)
    await saveIfChanged('adjustment', isAdjustmentChanged, saveAdjustment)
    setProblems(found)
    setSaving(false)
    if (!Object.keys(found).length) setSavedValues(typed)
    // Notify only after the state counts as saved, because a user who sees the notice may leave the page at once.
    for (const notice of done) notifySuccess(notice)
  }
  const copyLastMonth = async (kind: 'note' | 'adjustment'): Promise<void> => {
    try {
      const { taken } = await copyFromLastMonth({ ...about, kind, budgetCodeIds: [budgetCodeId] })
      if (!taken) return setProblems({ [kind]: `Last month has no ${kind === 'note' ? 'reason' : kind} for this code.` })
      notifySuccess(kind === 'note' ? notices.savedNote : notices.savedAdjustment)
    } catch (error) {
      notifyFailure(error)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  const direction = row.variance < 0 ? 'adverse' : 'favourable'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p style={{ margin: '0 0 10px' }}>
        Variance{' '}
        <b className={clsx(row.variance < 0 && textStyles.up, row.variance > 0 && textStyles.down)}>
          {displayMoney(toPennies(row.variance))}
        </b>
        {row.variancePercent !== null && ` (${displayPercent(row.variancePercent)})`}, {row.variance === 0 ? 'as budgeted' : direction}.
        {row.needsExplaining && ' It is over the threshold and needs a reason and an action.'}
        {row.needsAction && ' It is over the threshold and needs an action.'}
      </p>
      <Textarea
        label="Reason"
        description={otherUsersNote === null ? 'The cause of the variance.' : `Someone else has saved: ${otherUsersNote}`}
        autosize
        minRows={2}
        maxLength={2000}
        readOnly={isReadOnly}
        value={note}
        error={problems.note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Textarea
        label="Action"
        description="The action being taken. A line over the threshold needs one before the month can be closed."
        mt="sm"
        autosize
        minRows={1}
        maxLength={2000}
        readOnly={isReadOnly}
        value={action}
        error={problems.action}
        onChange={(event) => setAction(event.currentTarget.value)}
      />
      <NumberField
        label="Adjustment"
        description={`A one-off adjustment in pounds, for ${formatMonth(month)} only.`}
        mt="sm"
        w={220}
        decimalScale={2}
        fixedDecimalScale
        thousandSeparator=","
        prefix="£"
        readOnly={isReadOnly}
        value={adjustment}
        error={problems.adjustment}
        onChange={setAdjustment}
      />
      {!isReadOnly && (
        <Group mt="sm" gap="xs">
          <Button
            type="submit"
            loading={isSaving}
            disabled={!isNoteChanged && !isAdjustmentChanged}
            rightSection={<ShortcutHint>Ctrl S</ShortcutHint>}
          >
            Save
          </Button>
          {!row.note && (
            <Button variant="subtle" onClick={() => void copyLastMonth('note')}>
              Copy last month’s reason
            </Button>
          )}
          {row.adjustment === 0 && (
            <Button variant="subtle" onClick={() => void copyLastMonth('adjustment')}>
              Copy last month’s adjustment
            </Button>
          )}
        </Group>
      )}
      {scope.kind === 'budget' && (
        <p className={textStyles.since}>
          {scope.groupId === null
            ? 'The budget is not in a group, so notes and adjustments apply to the whole organisation.'
            : 'Notes and adjustments apply to all budgets in this budget’s group.'}
        </p>
      )}
    </form>
  )
}
