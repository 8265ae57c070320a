import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { requireOneOf } from '../../domain/values/keysOf.ts'
import { notices } from '../../domain/words/notices.ts'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { clearUnsavedChanges, useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'

const kinds = ['budgetCode', 'costCentre'] as const

/** Edits each location's own name for a code. There, the name replaces the code's description (behaviour B-164). */
export function LocalNamesTab({ record, screen, mayEdit }: RecordPartProps) {
  const resource = requireOneOf(kinds, screen.resource)
  const localNames = trpc.codeWords.list.useQuery({ resource, id: record.id })
  const [typed, setTyped] = useState<ReadonlyMap<number, string>>(new Map())
  const [busy, setBusy] = useState(false)
  const { mutateAsync: keep } = trpc.codeWords.save.useMutation()
  useUnsavedChanges(typed.size > 0)
  if (localNames.isLoadingError) return <p role="alert">{toPublicError(localNames.error).message}</p>
  if (!localNames.data) return <Skeleton height={160} />
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const changed = [...typed].map(([locationId, altDescription]) => ({ locationId, altDescription }))
      await keep({ resource, id: record.id, words: changed })
      setTyped(new Map())
      clearUnsavedChanges()
      notifySuccess(notices.saved)
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card aria-label="Alternative descriptions" style={{ maxWidth: 900 }}>
      <CardHead>
        Alternative descriptions <CardNote>shown in place of “{String(record.description)}” at the location</CardNote>
        <span style={{ flex: 1 }} />
        {mayEdit && (
          <Button size="compact-md" onClick={() => void save()} disabled={!typed.size} loading={busy}>
            Save
          </Button>
        )}
      </CardHead>
      <DataTable
        isHeadless
        isWrapped
        columns={[
          { id: 'location', label: 'Location', cellProps: () => ({ style: { width: '40%' } }) },
          {
            id: 'altDescription',
            label: 'Alternative description',
            cell: (row) =>
              mayEdit ? (
                <TextInput
                  aria-label={`Alternative description at ${row.location}`}
                  value={typed.get(row.locationId) ?? row.altDescription ?? ''}
                  placeholder={String(record.description)}
                  maxLength={200}
                  onChange={(event) => setTyped(new Map(typed).set(row.locationId, event.currentTarget.value))}
                />
              ) : (
                row.altDescription
              ),
          },
        ]}
        rows={localNames.data}
        keyOf={({ locationId }) => locationId}
      />
    </Card>
  )
}
