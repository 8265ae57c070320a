import { Alert, Anchor, Button, Checkbox, Group, List, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { displayCount, displayDate } from '../../../domain/values/format.ts'
import { type api, toPublicError, trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifySuccess } from '../../shell/notify.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { TickAllCheckbox, useTickedItems } from '../../ui/fields/TickAll.tsx'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import stackStyles from '../../ui/layout/Stack.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'

type Leavers = Awaited<ReturnType<typeof api.retention.list.query>>
type Due = Leavers['due'][number]

/** Maximum number of people erased in one call. */
const maximumPerCall = 500
/** Maximum number of names listed in the confirmation; beyond that it shows the count. */
const maximumNamed = 12

/** Confirms an erasure: who, what is erased and what remains. The user types the number of people. */
function EraseDialog({ chosen, onClose, onErased }: { chosen: readonly Due[]; onClose: () => void; onErased: () => void }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { mutateAsync: erase, isPending } = trpc.retention.eraseMany.useMutation()
  const isSame = typed.trim() === String(chosen.length)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isSame || isPending) return
    try {
      const { erased } = await erase({ ids: chosen.map(({ id }) => id), confirmed: Number(typed) })
      notifySuccess(`Erased personal data of ${displayCount(erased, 'person', 'people')}`)
      onErased()
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
  }
  return (
    <Dialog onClose={onClose} title="Erase personal data" size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Text size="sm">
            The names and details of these people disappear from every list, search, export and history. You cannot undo this. Contracts,
            leave dates and every figure are kept, to the penny.
          </Text>
          <List size="sm">
            {chosen.slice(0, maximumNamed).map(({ id, name, employeeNumber, left }) => (
              <List.Item key={id}>
                {name} · employee {employeeNumber} · left {displayDate(left)}
              </List.Item>
            ))}
            {chosen.length > maximumNamed && <List.Item>and {displayCount(chosen.length - maximumNamed, 'other')}</List.Item>}
          </List>
          <TextInput
            label={`Type ${chosen.length} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            inputMode="numeric"
            autoComplete="off"
            error={problem}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!isSame} loading={isPending}>
              Erase permanently
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function DueCard({ due }: { due: readonly Due[] }) {
  const shown = due.slice(0, maximumPerCall)
  const ticks = useTickedItems<Due>(({ id }) => id)
  const [isOpen, setOpen] = useState(false)
  const chosen = shown.filter(ticks.has)
  return (
    <Card>
      <CardHead>
        Due for erasure <CardNote>{displayCount(due.length, 'person', 'people')}</CardNote>
      </CardHead>
      {shown.length ? (
        <>
          <DataTable
            isWrapped
            minWidth={620}
            maxHeight={520}
            columns={[
              {
                id: 'choose',
                label: 'Choose all',
                width: 44,
                head: <TickAllCheckbox ticks={ticks} of={shown} label="Choose all" />,
                cell: (one) => (
                  <Checkbox
                    aria-label={`Choose ${one.name}`}
                    checked={ticks.has(one)}
                    onChange={(event) => ticks.tick([one], event.currentTarget.checked)}
                  />
                ),
              },
              {
                id: 'name',
                label: 'Name',
                isRowHead: true,
                cell: ({ id, name }) => (
                  <Anchor component={Link} to={`/console/staffing/staff-members/${id}`} size="sm">
                    {name}
                  </Anchor>
                ),
              },
              { id: 'employeeNumber', label: 'Employee number' },
              { id: 'locations', label: 'Locations' },
              { id: 'left', label: 'Last day', cell: ({ left }) => displayDate(left) },
              { id: 'since', label: 'Due since', cell: ({ since }) => displayDate(since) },
            ]}
            rows={shown}
            keyOf={({ id }) => id}
          />
          <CardBody>
            <Group>
              <Button color="red" disabled={!chosen.length} onClick={() => setOpen(true)}>
                {chosen.length ? `Erase ${displayCount(chosen.length, 'person', 'people')}` : 'Erase'}
              </Button>
              {due.length > shown.length && (
                <CardNote>The first {maximumPerCall} are shown; the others appear once these are erased.</CardNote>
              )}
            </Group>
          </CardBody>
        </>
      ) : (
        <EmptyState>No leavers are due for erasure.</EmptyState>
      )}
      {isOpen && (
        <EraseDialog
          chosen={chosen}
          onClose={() => setOpen(false)}
          onErased={() => {
            setOpen(false)
            ticks.clear()
          }}
        />
      )}
    </Card>
  )
}

function KeptCard({ kept }: { kept: Leavers['kept'] }) {
  const shown = kept.slice(0, maximumPerCall)
  return (
    <Card>
      <CardHead>
        Not due yet <CardNote>{displayCount(kept.length, 'person', 'people')}</CardNote>
      </CardHead>
      {shown.length ? (
        <DataTable
          isWrapped
          minWidth={620}
          maxHeight={420}
          columns={[
            { id: 'name', label: 'Name' },
            { id: 'left', label: 'Last day', cell: ({ left }) => displayDate(left) },
            { id: 'until', label: 'Due from', cell: ({ until }) => (until ? displayDate(until) : '') },
            { id: 'reason', label: 'Reason' },
          ]}
          rows={shown}
          keyOf={({ id }) => id}
        />
      ) : (
        <EmptyState>There are no other leavers.</EmptyState>
      )}
    </Card>
  )
}

/** Leavers whose retention period has ended, proposed for erasure. Nothing is erased automatically. */
export function LeaversPage() {
  const { data, ...query } = trpc.retention.list.useQuery(undefined, { staleTime: 0 })
  const years = data?.years ?? null
  return (
    <>
      <PageHead
        title="Leavers to erase"
        facts={
          <>
            {data && `${displayCount(data.working, 'person works', 'people work')} here. `}
            {years !== null && `Leavers are kept for ${displayCount(years, 'year')} after their last day. `}
            <Link to="/what-is-kept">Personal data we keep</Link>
          </>
        }
      />
      {query.isLoadingError && <LoadFailed query={query} />}
      {!data && !query.isLoadingError && <Skeleton height={240} />}
      {data && (
        <div className={stackStyles.stack}>
          {years === null && (
            <Alert color="blue" title="No one is due yet">
              In the <Link to="/console/general/organisations">details of your organisation</Link>, set “Years to keep leavers” to the
              period in your retention policy. Many schools keep staff records for six years.
            </Alert>
          )}
          <DueCard due={data.due} />
          <KeptCard kept={data.kept} />
        </div>
      )}
    </>
  )
}
