import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { getNumberUnit } from '../../../domain/resources/fields.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { checkRecord, isSameValue } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toPublicError } from '../../shell/api.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { FieldInput } from '../inputs/FieldInput.tsx'
import type { useResourceMutations } from '../resourceApi.ts'
import { useResourceUndo } from '../useResourceUndo.ts'

type Save = ReturnType<typeof useResourceMutations>['edit']

/**
 * Edits one cell of a list in a small dialog, and saves a change to that field only (behaviour B-102). The list shows the new value at
 * once. If the server refuses the value, the dialog opens again with the value and the reason.
 */
export function ListCellEditor({
  resource,
  save: send,
  shown,
  row,
  name,
  term,
  own,
  onClose,
}: {
  resource: AnyResource
  save: Save
  /** Runs `save`, and shows the new value in the list until `save` ends. */
  shown: (value: unknown, save: () => ReturnType<Save>) => ReturnType<Save>
  row: AnyRecord
  name: string
  term: string
  /** Whether to use the organisation's own set of calls. */
  own?: boolean
  onClose: () => void
}) {
  const field = assertDefined(resource.fields[name])
  const [value, setValue] = useState<unknown>(row[name])
  const [error, setError] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const undo = useResourceUndo(resource, own)
  const save = async (): Promise<void> => {
    const problem = checkRecord(resource, { ...row, [name]: value }).problems.find((one) => one.field === name)
    if (problem) return setError(problem.message)
    if (isSameValue(field, row[name], value)) return onClose()
    setSent(true)
    try {
      const { change } = await shown(value, () =>
        send({
          patch: [{ op: 'replace', path: `/${name}`, value }],
          state: { selectAll: false, toggledNodes: [row.id] },
        }),
      )
      notifySuccess(notices.updated(term), undo.of(change))
      onClose()
    } catch (failure) {
      setError(toPublicError(failure).message)
      setSent(false)
      // The dialog may have unmounted since: then show the failure as a notice.
      if (!isMounted.current) notifyFailure(failure)
    }
  }
  if (isSent) return null
  return (
    <Dialog onClose={onClose} title={`${field.label} of ${String(row[resource.naming[0]])}`} size="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <FieldInput field={field} value={value} unit={getNumberUnit(field, row)} onChange={setValue} error={error} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Save</Button>
        </Group>
      </form>
    </Dialog>
  )
}
