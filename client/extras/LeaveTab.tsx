import { Button, Group, Modal, Skeleton, Table, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldProblem } from '../../domain/errors.ts'
import { displayDate } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { DateField } from '../resources/DateField.tsx'
import { Picker } from '../resources/Picker.tsx'
import { useNames } from '../resources/resourceApi.ts'
import { useTerm } from '../state/core.ts'
import type { RecordPart } from './extras.ts'

type Leave = Awaited<ReturnType<typeof api.leave.listByStaff.query>>[number]

const weeks = ({ startDate, endDate }: Leave): number => Math.round((Date.parse(endDate) - Date.parse(startDate)) / 604_800_000)

/** The long leave of a person: when, and by which rules. */
export function LeaveTab({ record, mayEdit }: RecordPart) {
  const term = useTerm()('AppliedExtendedLeave')
  const [open, setOpen] = useState<{ leave: Leave | null } | null>(null)
  const list = useQuery({ queryKey: ['leave', record.id], queryFn: () => api.leave.listByStaff.query({ id: record.id }) })
  const sets = useNames(
    'extendedLeaveRuleSet',
    (list.data ?? []).map((row) => row.extendedLeaveRulesetId),
  )
  const done = (): void => {
    setOpen(null)
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => ['leave', 'liveInputs', 'contracts', 'cost'].includes(String(queryKey[0])),
    })
  }
  if (list.isError) return <p role="alert">{problemOf(list.error).message}</p>
  if (!list.data) return <Skeleton height={120} />
  return (
    <section className="card" aria-label={term.plural}>
      <div className="card-head">
        {term.plural}
        <span style={{ flex: 1 }} />
        {mayEdit && (
          <Button size="compact-md" onClick={() => setOpen({ leave: null })}>
            Add extended leave
          </Button>
        )}
      </div>
      {list.data.length === 0 ? (
        <div className="empty">
          <h2>No extended leave</h2>
          <p>Maternity, adoption and other long leave is costed week by week by the rules of a set.</p>
        </div>
      ) : (
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>From</Table.Th>
                <Table.Th>To</Table.Th>
                <Table.Th ta="right">Weeks</Table.Th>
                <Table.Th>Rules</Table.Th>
                <Table.Th>Notes</Table.Th>
                {mayEdit && <Table.Th w={90} aria-label="Change" />}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data.map((leave) => (
                <Table.Tr key={leave.id}>
                  <Table.Td>{displayDate(leave.startDate)}</Table.Td>
                  <Table.Td>{displayDate(leave.endDate)}</Table.Td>
                  <Table.Td ta="right">{weeks(leave)}</Table.Td>
                  <Table.Td>{sets.get(leave.extendedLeaveRulesetId)?.name ?? '…'}</Table.Td>
                  <Table.Td>{leave.notes}</Table.Td>
                  {mayEdit && (
                    <Table.Td>
                      <Button variant="subtle" size="compact-sm" onClick={() => setOpen({ leave })}>
                        Change
                      </Button>
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {open && <Editor staffId={record.id} leave={open.leave} onClose={() => setOpen(null)} onDone={done} />}
    </section>
  )
}

function Editor({ staffId, leave, onClose, onDone }: { staffId: number; leave: Leave | null; onClose: () => void; onDone: () => void }) {
  const term = useTerm()('AppliedExtendedLeave')
  const [ruleset, setRuleset] = useState<number | null>(leave?.extendedLeaveRulesetId ?? null)
  const [startDate, setStart] = useState<string | null>(leave?.startDate ?? null)
  const [endDate, setEnd] = useState<string | null>(leave?.endDate ?? null)
  const [notes, setNotes] = useState(leave?.notes ?? '')
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const error = (field: string): string | undefined => problems.find((problem) => problem.field === field)?.message
  const save = async (): Promise<void> => {
    const missing = [
      ...(ruleset === null ? [{ field: 'extendedLeaveRulesetId', message: 'Extended leave rule set is required.' }] : []),
      ...(startDate === null ? [{ field: 'startDate', message: 'Start date is required.' }] : []),
      ...(endDate === null ? [{ field: 'endDate', message: 'End date is required.' }] : []),
    ]
    setProblems(missing)
    if (ruleset === null || startDate === null || endDate === null) return
    const input = { staffId, extendedLeaveRulesetId: ruleset, startDate, endDate, notes }
    setBusy(true)
    try {
      if (leave) await api.leave.update.mutate({ ...input, id: leave.id, version: leave.version })
      else await api.leave.create.mutate(input)
      said(leave ? notices.updated(term.singular) : notices.created(term.singular))
      onDone()
    } catch (failure) {
      setProblems(problemOf(failure).fields)
      failed(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={leave ? 'Extended leave' : 'Add extended leave'}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        style={{ display: 'grid', gap: 12 }}
      >
        <Picker
          to="extendedLeaveRuleSet"
          label="Extended leave rule set"
          value={ruleset}
          onChange={setRuleset}
          error={error('extendedLeaveRulesetId')}
          required
        />
        <DateField label="Start date" value={startDate} onChange={setStart} error={error('startDate')} required />
        <DateField label="End date" value={endDate} onChange={setEnd} error={error('endDate')} required />
        <Textarea
          label="Notes"
          value={notes}
          onChange={(event) => setNotes(event.currentTarget.value)}
          maxLength={2000}
          autosize
          minRows={2}
        />
        <Group justify="flex-end">
          {leave && (
            <Button
              variant="default"
              c="var(--bad)"
              mr="auto"
              onClick={() =>
                confirmDelete({ term, count: 1, one: true, run: () => api.leave.delete.mutate({ id: leave.id }), after: onDone })
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
