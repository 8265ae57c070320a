import { Button, Group, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { payrollClearOption } from '../../domain/lookups/lookupIds.ts'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { notices } from '../../domain/words/notices.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { useDialogSave } from '../shell/useSave.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import textStyles from '../ui/labels/text.module.css'
import type { ReconciliationChanges, ReconciliationScope } from './reconciliationChanges.ts'

const choices = [
  { option: payrollClearOption.everything, label: 'Everything', description: 'Everything below.' },
  { option: payrollClearOption.actuals, label: 'What was paid', description: 'As imported and as entered.' },
  { option: payrollClearOption.notes, label: 'Notes', description: 'The reasons that were accepted or entered.' },
  {
    option: payrollClearOption.carriedForward,
    label: 'Amounts carried forward',
    description: 'They are also removed from the next month.',
  },
] as const

/** Clears a month or part of it, at all locations of the group or organisation (behaviour B-221). */
export function ClearMonthDialog({
  level,
  changes,
  onClose,
}: {
  level: ReconciliationScope
  changes: ReconciliationChanges
  onClose: () => void
}) {
  const [option, setOption] = useState<number>(payrollClearOption.everything)
  const monthName = formatMonth(level)
  const clear = async (): Promise<void> => notifySuccess(notices.cleared(monthName), await changes.clearMonth(option))
  const { problem, isSaving, save } = useDialogSave(clear, null, onClose)
  return (
    <Dialog onClose={onClose} title={`Clear ${monthName}`}>
      <Radio.Group
        label={`What is cleared, at every location of the ${level.groupId === null ? 'organisation' : 'budget group'}`}
        value={String(option)}
        error={problem}
        onChange={(value) => setOption(assertDefined(choices.find((one) => String(one.option) === value)).option)}
      >
        <Stack gap="xs" my="xs">
          {choices.map((one) => (
            <Radio key={one.option} value={String(one.option)} label={one.label} description={one.description} />
          ))}
        </Stack>
      </Radio.Group>
      <p className={textStyles.since}>
        Amounts imported for these locations are removed from every reconciliation of the month. You can undo this from the notice, or later
        in the history.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={isSaving} onClick={() => void save()}>
          Clear {monthName}
        </Button>
      </Group>
    </Dialog>
  )
}
