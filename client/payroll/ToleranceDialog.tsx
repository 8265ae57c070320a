import { useState } from 'react'
import { notices } from '../../domain/words/notices.ts'
import { trpc } from '../shell/api.ts'
import { QueryDialog } from '../shell/QueryDialog.tsx'
import { useDialogSave } from '../shell/useSave.ts'
import { DialogForm } from '../ui/dialogs/FormModal.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import textStyles from '../ui/labels/text.module.css'

/** The difference up to which a row counts as matched, for the whole organisation (rules.md §18). */
export function PayrollToleranceDialog({ isReadOnly, onClose }: { isReadOnly: boolean; onClose: () => void }) {
  const saved = trpc.payroll.tolerance.useQuery()
  return (
    <QueryDialog title="Tolerance" query={saved} onClose={onClose}>
      {(data) => <Form saved={data.tolerance} isReadOnly={isReadOnly} onClose={onClose} />}
    </QueryDialog>
  )
}

function Form({ saved, isReadOnly, onClose }: { saved: number; isReadOnly: boolean; onClose: () => void }) {
  const [value, setValue] = useState<number | null>(saved)
  const { mutateAsync: saveTolerance } = trpc.payroll.saveTolerance.useMutation()
  const { problem, isSaving, save } = useDialogSave(() => saveTolerance({ tolerance: value ?? 0 }), notices.saved, onClose)
  return (
    <DialogForm isReadOnly={isReadOnly} isSaving={isSaving} onSave={save} onClose={onClose}>
      <p className={textStyles.dim} style={{ marginTop: 0 }}>
        Rows that differ by no more than the tolerance are matched. The tolerance applies to the whole organisation.
      </p>
      <NumberField
        label="Tolerance"
        prefix="£"
        min={0}
        decimalScale={2}
        data-autofocus
        readOnly={isReadOnly}
        value={value}
        error={problem}
        onChange={setValue}
      />
    </DialogForm>
  )
}
