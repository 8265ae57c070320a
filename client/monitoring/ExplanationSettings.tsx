import { useState } from 'react'
import { notices } from '../../domain/words/notices.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { QueryDialog } from '../shell/QueryDialog.tsx'
import { useDialogSave } from '../shell/useSave.ts'
import { DialogForm } from '../ui/dialogs/FormModal.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import textStyles from '../ui/labels/text.module.css'

type Settings = RouterOutputs['monitoring']['settings']

/** Edits the variance from which a line needs an explanation, for the whole organisation (rules.md §17). */
export function ExplanationSettingsDialog({ isReadOnly, onClose }: { isReadOnly: boolean; onClose: () => void }) {
  const settings = trpc.monitoring.settings.useQuery()
  return (
    <QueryDialog title="What needs explaining" query={settings} onClose={onClose}>
      {(data) => <Form saved={data} isReadOnly={isReadOnly} onClose={onClose} />}
    </QueryDialog>
  )
}

function Form({ saved, isReadOnly, onClose }: { saved: Settings; isReadOnly: boolean; onClose: () => void }) {
  const [values, setValues] = useState<Record<keyof Settings, number | null>>(saved)
  const { mutateAsync: saveSettings } = trpc.monitoring.saveSettings.useMutation()
  const bindField = (name: keyof Settings) => ({
    value: values[name],
    readOnly: isReadOnly,
    min: 0,
    decimalScale: 2,
    thousandSeparator: ',',
    mt: 'sm',
    onChange: (value: number | null) => setValues((before) => ({ ...before, [name]: value })),
  })
  const { problem, isSaving, save } = useDialogSave(
    () =>
      saveSettings({
        explainOver: values.explainOver ?? 0,
        explainOverPercent: values.explainOverPercent ?? 0,
        explainAlwaysOver: values.explainAlwaysOver ?? 0,
      }),
    notices.saved,
    onClose,
  )
  return (
    <DialogForm isReadOnly={isReadOnly} isSaving={isSaving} onSave={save} onClose={onClose}>
      <p className={textStyles.dim} style={{ margin: 0 }}>
        A line without a note needs explaining when its variance is over the amount and over the percentage, or over the upper amount alone.
      </p>
      <NumberField label="Amount" prefix="£" data-autofocus {...bindField('explainOver')} />
      <NumberField label="Percentage" suffix="%" {...bindField('explainOverPercent')} />
      <NumberField label="Upper amount" prefix="£" error={problem} {...bindField('explainAlwaysOver')} />
    </DialogForm>
  )
}
