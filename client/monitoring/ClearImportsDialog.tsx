import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { type CalendarMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayCount } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { createDeletionUndo, notifySuccess } from '../shell/notify.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import textStyles from '../ui/labels/text.module.css'

/** Clears a month's imports, at all locations or at those that the user chooses (behaviours B-227 and B-228). */
export function ClearImportsDialog({
  month,
  importedLocationIds,
  onClose,
  onDone,
}: {
  month: CalendarMonth
  /** Locations that have imports for the month. */
  importedLocationIds: readonly number[]
  onClose: () => void
  onDone: () => void
}) {
  const { locations } = useCoreData()
  const { mutateAsync: clearMonth } = trpc.monitoring.clear.useMutation()
  const { mutateAsync: clearLocations } = trpc.monitoring.clearLocations.useMutation()
  const { mutateAsync: undo } = trpc.monitoring.undoAll.useMutation()
  const [chosen, setChosen] = useState<string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [isClearing, setClearing] = useState(false)
  const count = chosen.length || importedLocationIds.length
  const clear = async (): Promise<void> => {
    setClearing(true)
    setProblem(null)
    try {
      const changes = chosen.length
        ? (await clearLocations({ ...month, locationIds: chosen.map(Number) })).changes
        : await clearMonth(month)
      notifySuccess(notices.cleared(formatMonth(month)), changes.length ? createDeletionUndo(() => undo({ changes })) : undefined)
      onDone()
    } catch (error) {
      setProblem(toPublicError(error).message)
      setClearing(false)
    }
  }
  return (
    <Dialog onClose={onClose} title={`Clear ${formatMonth(month)}`}>
      <MultiChoice
        label="Locations"
        description="Leave empty to clear all of them."
        placeholder={`All ${importedLocationIds.length}`}
        clearable
        data={importedLocationIds.map((id) => ({ value: String(id), label: locations.find((one) => one.id === id)?.name ?? String(id) }))}
        value={chosen}
        error={problem}
        onChange={setChosen}
      />
      <p className={textStyles.since}>
        The month’s actuals and commitments are cleared, and the month is open again. You can undo this from the notice, or later in the
        history.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={isClearing} onClick={() => void clear()}>
          Clear {displayCount(count, 'location')}
        </Button>
      </Group>
    </Dialog>
  )
}
