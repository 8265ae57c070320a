import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { FieldProblem } from '../../domain/errors.ts'
import { notices } from '../../domain/notices.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { checkRecord, newRecord, type Values } from '../../domain/resources/schema.ts'
import { inSentence } from '../../domain/terms.ts'
import { problemOf } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { FieldInput } from '../resources/FieldInput.tsx'
import { callsOf } from '../resources/resourceApi.ts'
import { useTerm } from '../state/core.ts'

/** Makes, changes or deletes a dated table; its rows go with it. */
export function TableDialog({
  resource,
  record,
  onClose,
  onDone,
}: {
  resource: AnyResource
  record: AnyRecord | null
  onClose: () => void
  onDone: (id: number | null) => void
}) {
  const term = useTerm()(resource.key)
  const calls = callsOf(resource)
  const [values, setValues] = useState<Values>(record ?? newRecord(resource))
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    const checked = checkRecord(resource, values)
    setProblems(checked.problems)
    if (checked.problems.length) return
    setBusy(true)
    try {
      const saved = record
        ? await calls.update.mutate({ ...values, id: record.id, version: record.version })
        : await calls.create.mutate(values)
      said(record ? notices.updated(term.singular) : notices.created(term.singular))
      onDone(saved.id)
    } catch (error) {
      setProblems(problemOf(error).fields)
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={record ? term.singular : `Add ${inSentence(term.singular)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        style={{ display: 'grid', gap: 12 }}
      >
        {Object.entries(resource.fields).map(([name, field]) => (
          <FieldInput
            key={name}
            field={field}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
            error={problems.find((problem) => problem.field === name)?.message}
          />
        ))}
        <Group justify="flex-end">
          {record && (
            <Button
              variant="default"
              c="var(--bad)"
              mr="auto"
              onClick={() =>
                confirmDelete({
                  term,
                  count: 1,
                  one: true,
                  hint: 'Its rows are deleted with it. This cannot be undone.',
                  run: () => calls.delete.mutate({ id: record.id }),
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
    </Modal>
  )
}
