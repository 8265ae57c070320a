import { Alert, Button, Group, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { lookups } from '../../domain/lookups/lookups.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayWholePounds } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { notices } from '../../domain/words/notices.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'

/** Copies budgets under a new name, or copies them into the next year. */
export function CopyBudgetsDialog({
  how,
  sources,
  onClose,
  onDone,
}: {
  how: 'duplicate' | 'rollForward'
  sources: { mongoId: string; name: string; locationId: LocationId }[]
  onClose: () => void
  onDone: () => void
}) {
  const { locations } = useCoreData()
  const [name, setName] = useState(how === 'duplicate' && sources.length === 1 ? `${assertDefined(sources[0]).name} (copy)` : '')
  const [versionType, setVersionType] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const ids = sources.map((source) => source.mongoId)
  const preview = trpc.budgetRound.rollPreview.useQuery({ ids }, { enabled: how === 'rollForward', gcTime: 0 })
  const { mutateAsync: rollForward } = trpc.budgetRound.rollForward.useMutation()
  const { mutateAsync: duplicate } = trpc.budgetRound.duplicate.useMutation()
  const { mutateAsync: duplicateMany } = trpc.budgetRound.duplicateMany.useMutation()
  const run = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const options = { name: name.trim() || null, versionType: versionType ? Number(versionType) : null }
    try {
      if (how === 'rollForward') await rollForward({ ids, ...options })
      else if (ids.length === 1) await duplicate({ id: assertDefined(ids[0]), ...options })
      else await duplicateMany({ state: { selectAll: false, toggledNodes: ids }, ...options })
      notifySuccess(how === 'duplicate' ? notices.duplicated : notices.rolledForward)
      onDone()
    } catch (error) {
      setProblem(toPublicError(error).fields.find((one) => one.field === 'name')?.message)
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const copiedBefore = preview.data?.filter((row) => row.before.length) ?? []
  return (
    <Dialog onClose={onClose} size="lg" title={how === 'duplicate' ? 'Duplicate' : 'Roll forward'}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <SectionStack>
          <p className={textStyles.dim} style={{ margin: 0 }}>
            {how === 'duplicate'
              ? 'Everything is copied: contracts, entries, calculations, pupils and balances.'
              : 'The new budget starts a year later: its first year is this budget’s second year, it opens with the closing balances, contracts that have ended are left out, and a final year is added.'}
          </p>
          <TextInput
            label="Name"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            placeholder={
              how === 'rollForward' ? 'Automatic: the year in the name goes up by one' : 'Automatic: the current name followed by (copy)'
            }
            error={problem}
            maxLength={100}
          />
          <Choice
            label="Version type"
            data={lookups.budgetVersionTypes.map((type) => ({ value: String(type.id), label: type.name }))}
            value={versionType}
            onChange={setVersionType}
            placeholder="Unchanged; a copy of an approved budget becomes a working budget"
            clearable
          />
          {copiedBefore.length > 0 && (
            <Alert color="orange" role="status">
              {copiedBefore.map((row) => `${row.name} was rolled forward before, to ${row.before.join(', ')}.`).join(' ')} Another one will
              be created.
            </Alert>
          )}
          {how === 'rollForward' &&
            (preview.data ? (
              <Card className={scrollStyles.scroll}>
                <DataTable
                  columns={[
                    {
                      id: 'budget',
                      label: 'Budget',
                      cell: (row) => `${locations.find((one) => one.id === row.locationId)?.name}: ${row.name}`,
                    },
                    { id: 'becomes', label: 'Becomes', cell: (row) => name.trim() || row.newName },
                    {
                      id: 'opens',
                      label: 'Opens with',
                      isFigure: true,
                      cell: (row) => (
                        <>
                          {displayWholePounds(row.opening)}
                          {row.missing > 0 && (
                            <span
                              className={textStyles.up}
                              title={`${displayCount(row.missing, 'monthly figure')} could not be calculated`}
                            >
                              {' '}
                              *
                            </span>
                          )}
                        </>
                      ),
                    },
                  ]}
                  rows={preview.data}
                  keyOf={({ id }) => id}
                />
              </Card>
            ) : (
              // The placeholder is as tall as the table that replaces it, so that the buttons below do not move under the pointer.
              <Skeleton height={36 * (ids.length + 1)} />
            ))}
        </SectionStack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {how === 'duplicate' ? 'Duplicate' : 'Roll forward'} {ids.length > 1 ? `${ids.length} budgets` : ''}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
