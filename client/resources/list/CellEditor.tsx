import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { unitOf } from '../../../domain/resources/fields.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { checkRecord, sameValue } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toPublicError } from '../../shell/api.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { FieldInput } from '../inputs/FieldInput.tsx'
import type { useSaves } from '../resourceApi.ts'
import { useUndo } from '../useUndo.ts'

type Save = ReturnType<typeof useSaves>['edit']

/**
 * Changes one cell of a list in a small window, saved as one replace on that row (behaviour B-102). The list shows it at once; where it is
 * refused, the window stands again with what was typed and why.
 */
export function CellEditor({
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
  /** Shows a value in the list while it is saved. */
  shown: (value: unknown, save: () => ReturnType<Save>) => ReturnType<Save>
  row: AnyRecord
  name: string
  term: string
  /** The organisation's own set of calls. */
  own?: boolean
  onClose: () => void
}) {
  const field = assertDefined(resource.fields[name])
  const [value, setValue] = useState<unknown>(row[name])
  const [error, setError] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const undo = useUndo(resource, own)
  const save = async (): Promise<void> => {
    const problem = checkRecord(resource, { ...row, [name]: value }).problems.find((one) => one.field === name)
    if (problem) return setError(problem.message)
    if (sameValue(field, row[name], value)) return onClose()
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
      // Whoever has gone on is told all the same.
      if (!isHere.current) notifyFailure(failure)
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
        <FieldInput field={field} value={value} unit={unitOf(field, row)} onChange={setValue} error={error} />
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
