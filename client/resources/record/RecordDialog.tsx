import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { Field } from '../../../domain/resources/fields.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { notices } from '../../../domain/words/notices.ts'
import { type Term, toMidSentence } from '../../../domain/words/terms.ts'
import { toPublicError } from '../../shell/api.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { focusFirstField } from '../../ui/fields/focusFirstField.ts'
import { confirmDelete } from '../confirmDelete.tsx'
import { focusProblem } from '../editor/focusProblem.ts'
import { FieldInput } from '../inputs/FieldInput.tsx'

/** A dialog that adds, changes or deletes a small record on the page of the record to which it belongs. */
export function RecordDialog<T>({
  term,
  isNew,
  fields,
  start,
  check,
  save,
  remove,
  removeHint,
  undo,
  onClose,
  onDone,
}: {
  term: Term
  isNew: boolean
  fields: Readonly<Record<string, Field>>
  start: RecordValues
  /** Validates before anything is sent. */
  check: (values: RecordValues) => FieldProblem[]
  save: (values: RecordValues) => Promise<T>
  remove?: () => Promise<unknown>
  removeHint?: string
  /** Creates the function that undoes a deletion or, with `saved`, the adding of a record. */
  undo?: (saved: T | null) => (() => void) | undefined
  onClose: () => void
  /** @param saved the server's reply; null after a deletion */
  onDone: (saved: T | null) => void
}) {
  const [values, setValues] = useState(start)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    const broken = check(values)
    setProblems(broken)
    if (broken.length) return focusProblem(broken)
    setBusy(true)
    try {
      const saved = await save(values)
      notifySuccess(isNew ? notices.created(term.singular) : notices.updated(term.singular), undo?.(saved))
      onDone(saved)
    } catch (error) {
      const { fields: refused } = toPublicError(error)
      setProblems(refused)
      if (refused.length) focusProblem(refused)
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog onClose={onClose} title={isNew ? `Add ${toMidSentence(term.singular)}` : term.singular}>
      <form
        ref={focusFirstField}
        // The form shows its own validation messages, so those of the browser are turned off.
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        style={{ display: 'grid', gap: 12 }}
      >
        {Object.entries(fields).map(([name, field]) => (
          <div key={name} data-field={name}>
            <FieldInput
              field={field}
              value={values[name]}
              onChange={(value) => setValues({ ...values, [name]: value })}
              error={problems.find((problem) => problem.field === name)?.message}
            />
          </div>
        ))}
        <Group justify="flex-end">
          {remove && (
            <Button
              variant="default"
              c="var(--bad)"
              mr="auto"
              onClick={() =>
                confirmDelete({
                  term,
                  count: 1,
                  one: true,
                  hint: removeHint,
                  run: remove,
                  undo: () => undo?.(null),
                  after: () => onDone(null),
                })
              }
            >
              Delete
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
