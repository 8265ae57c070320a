import { Button, Skeleton, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayDateTime, formatRelativeTime } from '../../domain/values/format.ts'
import { type LocationId, toLocationId } from '../../domain/values/ids.ts'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { MultiRecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { HistoryCard } from '../resources/record/HistoryCard.tsx'
import { api, toPublicError, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifySuccess } from '../shell/notify.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { clearUnsavedChanges } from '../shell/unsavedChanges.ts'
import { type NewSecret, SecretDialog } from '../ui/dialogs/SecretDialog.tsx'
import { Card, CardBody } from '../ui/layout/Card.tsx'
import { type ApiClient, ApiClientStateLabel } from './ApiClientsPage.tsx'
import { apiClientsPath } from './apiClientsPath.ts'

const listLink = { to: apiClientsPath, label: 'Back to the list' }

function History({ id }: { id: number }) {
  const history = trpc.apiClients.history.useQuery({ id })
  const describeChange = ({ action, before, after }: NonNullable<typeof history.data>[number]): string => {
    if (action === 'created') return 'added it'
    if (before?.active && !after?.active) return 'revoked it'
    return before?.secretMade === after?.secretMade ? 'changed its name or rights' : 'made a new secret'
  }
  return <HistoryCard history={history} what={describeChange} none="No changes since it was added with the demo data." />
}

function Facts({ client }: { client: ApiClient }) {
  return (
    <>
      {client.clientId} · {client.lastUsed ? `used ${formatRelativeTime(client.lastUsed, new Date())}` : 'never used'} · secret created{' '}
      {displayDateTime(client.secretMade)}
      {client.previousUntil && ` · the previous one works until ${displayDateTime(client.previousUntil)}`}
    </>
  )
}

interface ClientDraft {
  name: string
  userGroupIds: number[]
  locationIds: LocationId[]
}

const term = { singular: 'API client', plural: 'API clients' }
const labels = { name: 'Name', userGroupIds: 'User groups', locationIds: 'Locations' }
const toDraft = ({ name, userGroupIds, locationIds }: ApiClient): ClientDraft => ({ name, userGroupIds, locationIds })

function Editor({ loaded }: { loaded: ApiClient | null }) {
  const navigate = useNavigate()
  const [secret, setSecret] = useState<NewSecret | null>(null)
  const withSecret = ({ secret, ...client }: ApiClient & { secret: string }): ApiClient => {
    setSecret({
      title: 'Client ID and secret',
      hint: 'Copy both into the external system now.',
      lines: [
        { label: 'Client ID', value: client.clientId },
        { label: 'Secret', value: secret },
      ],
      previousSecretNote:
        client.previousUntil &&
        `The previous secret works until ${displayDateTime(client.previousUntil)}, to give you time to switch the system over.`,
    })
    return client
  }
  const { mutateAsync: create } = trpc.apiClients.create.useMutation()
  const { mutateAsync: update } = trpc.apiClients.update.useMutation()
  const { mutateAsync: makeSecret } = trpc.apiClients.rotate.useMutation()
  const { mutateAsync: sendRevocation } = trpc.apiClients.revoke.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: toDraft,
    blank: { name: '', userGroupIds: [], locationIds: [] },
    labels,
    check: (draft) => ({ input: draft, problems: [] }),
    save: async (draft, before) =>
      before ? update({ ...draft, id: before.id, version: before.version }) : withSecret(await create(draft)),
    reload: ({ id }) => api.apiClients.get.query({ id }),
    createUndo: ({ id, version }, before) => before && (() => update({ ...toDraft(before), id, version })),
    // After adding a client, stay on the page so that the user can read the client's secret.
    onSaved: (_client, isNew) => !isNew && navigate(apiClientsPath),
    isReadOnly: loaded?.active === false,
    list: apiClientsPath,
  })
  const { values: draft, set, saved: client, busy, isReadOnly, error } = editor
  const rotate = (): void =>
    void modals.openConfirmModal({
      title: 'New secret',
      children: (
        <Text size="sm">
          A new secret is created and shown once. The current one works for one more day; any older one stops working immediately.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Create new secret' },
      onConfirm: () => void editor.change(async () => withSecret(await makeSecret({ id: assertDefined(client).id }))),
    })
  const revoke = (): void =>
    void modals.openConfirmModal({
      title: 'Revoke API client',
      children: (
        <Text size="sm">
          This cannot be undone. {assertDefined(client).name} is locked out immediately, and its client ID and secrets stop working. The
          system can only reconnect through a new API client. Its history is kept.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Revoke' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        if (!(await editor.change(() => sendRevocation({ id: assertDefined(client).id })))) return
        notifySuccess('Revoked API client')
        clearUnsavedChanges()
        await navigate(apiClientsPath)
      },
    })
  const close = (): void => {
    setSecret(null)
    if (!loaded) void navigate(apiClientsPath)
  }
  return (
    <>
      <EditorHeader
        editor={editor}
        title={client?.name ?? 'Add API client'}
        documentTitle={`${client ? 'Edit' : 'Add'} - API client - Console`}
        pills={client && <ApiClientStateLabel client={client} />}
        facts={client && <Facts client={client} />}
        saveLabel={client ? 'Save' : 'Add and show secret'}
      >
        {client?.active && (
          <>
            <Button variant="default" c="var(--bad)" onClick={revoke} disabled={busy}>
              Revoke
            </Button>
            <Button variant="default" onClick={rotate} disabled={busy}>
              New secret
            </Button>
          </>
        )}
      </EditorHeader>
      {secret && <SecretDialog shown={secret} onClose={close} />}
      <Card style={{ overflow: 'visible', maxWidth: 720 }}>
        <CardBody style={{ display: 'grid', gap: 12 }}>
          <div data-field="name">
            <TextInput
              label="Name"
              description="The system that will use it, such as your payroll bureau."
              required
              disabled={isReadOnly}
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={error('name')}
              maxLength={100}
              autoFocus={!loaded}
            />
          </div>
          <div data-field="userGroupIds">
            <MultiRecordPicker
              to="userGroup"
              label="User groups"
              description="What it can view and change. This cannot exceed your own permissions."
              required
              disabled={isReadOnly}
              value={draft.userGroupIds}
              onChange={(userGroupIds) => set({ userGroupIds })}
              error={error('userGroupIds')}
            />
          </div>
          <div data-field="locationIds">
            <MultiRecordPicker
              to="location"
              label="Locations"
              emptyText="All locations"
              disabled={isReadOnly}
              value={draft.locationIds}
              onChange={(ids) => set({ locationIds: ids.map(toLocationId) })}
              error={error('locationIds')}
            />
          </div>
        </CardBody>
      </Card>
      {client && <History id={client.id} />}
    </>
  )
}

export function ApiClientPage() {
  const { id } = useParams()
  const valid = !id || /^\d{1,9}$/.test(id)
  const client = trpc.apiClients.get.useQuery({ id: Number(id) }, { enabled: Boolean(id) && valid, staleTime: 0 })
  if (!id) return <Editor loaded={null} />
  if (!valid || (client.isError && toPublicError(client.error).kind === 'notFound')) return <NotFound back={listLink} />
  if (client.isLoadingError) return <LoadFailed query={client} />
  if (!client.data) return <Skeleton height={160} />
  return <Editor key={id} loaded={client.data} />
}
