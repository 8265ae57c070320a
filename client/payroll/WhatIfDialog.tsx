import { Button, Group, Stack, Switch } from '@mantine/core'
import { adminTableType } from '../../domain/lookups/lookupIds.ts'
import { RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import textStyles from '../ui/labels/text.module.css'

/** What-if assumptions that a month's calculation uses instead of those of the budgets (rules.md §18). */
export interface WhatIfAssumptions {
  /** Whether the pay awards of the staff assumptions apply. */
  awards: boolean
  teacherTableId: number | null
  supportTableId: number | null
}

/** A dialog for the what-if assumptions of a month. They are not saved. */
export function WhatIfDialog({
  assumptions,
  onChange,
  onClose,
}: {
  assumptions: WhatIfAssumptions
  onChange: (next: WhatIfAssumptions) => void
  onClose: () => void
}) {
  const set = (part: Partial<WhatIfAssumptions>): void => onChange({ ...assumptions, ...part })
  return (
    <Dialog onClose={onClose} title="What if">
      <p className={textStyles.dim} style={{ marginTop: 0 }}>
        What the month would cost with other awards or pay tables. Nothing is saved, and nothing can be changed while it is shown.
      </p>
      <Stack gap="sm">
        <Switch
          label="With the assumed awards"
          data-autofocus
          checked={assumptions.awards}
          onChange={(event) => set({ awards: event.currentTarget.checked })}
        />
        <RecordPicker
          to="adminTable"
          where={{ type: adminTableType.teacherPayScales }}
          label="Teachers on"
          description="Replaces the tables of the budgets. Leave empty to keep them."
          value={assumptions.teacherTableId}
          onChange={(teacherTableId) => set({ teacherTableId })}
        />
        <RecordPicker
          to="adminTable"
          where={{ type: adminTableType.supportPayScales }}
          label="Support staff on"
          description="Replaces the tables of the budgets. Leave empty to keep them."
          value={assumptions.supportTableId}
          onChange={(supportTableId) => set({ supportTableId })}
        />
      </Stack>
      <Group justify="flex-end" mt="md">
        <Button
          variant="default"
          onClick={() => {
            onChange({ awards: true, teacherTableId: null, supportTableId: null })
            onClose()
          }}
        >
          As budgeted
        </Button>
        <Button onClick={onClose}>Show</Button>
      </Group>
    </Dialog>
  )
}
