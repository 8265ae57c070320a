import { Alert, Button, Checkbox, Skeleton, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useParams } from 'react-router'
import { checkAddress } from '../../../domain/integrations/credentials.ts'
import { type IntegrationEventType, integrationEvents, integrationEventTypes } from '../../../domain/integrations/events.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { HistoryCard } from '../../resources/record/HistoryCard.tsx'
import { api, toPublicError, trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifySuccess } from '../../shell/notify.tsx'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { type NewSecret, SecretDialog } from '../../ui/dialogs/SecretDialog.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath, withoutStructuralSharing } from '../linkStatus.tsx'
import { WebhookDeliveries } from './Deliveries.tsx'
import { type Webhook, WebhookStateLabel } from './webhookState.tsx'

interface Draft {
  name: string
  address: string
  types: IntegrationEventType[]
}

const term = { singular: 'Webhook', plural: 'Webhooks' }
const labels = { name: 'Name', address: 'Address', types: 'Events' }
const listLink = { to: integrationsPath, label: 'Back to the integrations' }
const toDraft = ({ name, address, types }: Webhook): Draft => ({
  name,
  address,
  types: integrationEventTypes.filter((type) => types.includes(type)),
})

function validate(draft: Draft) {
  const input = { ...draft, name: draft.name.trim(), address: draft.address.trim() }
  const wrong = input.address ? checkAddress(input.address) : 'Address is required.'
  const problems = [
    ...(input.name ? [] : [{ field: 'name', message: 'Name is required.' }]),
    ...(wrong ? [{ field: 'address', message: wrong }] : []),
    ...(input.types.length ? [] : [{ field: 'types', message: 'Choose at least one event.' }]),
  ]
  return problems.length ? { input: null, problems } : { input, problems: [] as const }
}

function History({ id }: { id: number }) {
  const history = trpc.webhooks.history.useQuery({ id })
  const describeChange = ({ action, before, after }: NonNullable<typeof history.data>[number]): string => {
    if (action === 'created') return 'added it'
    if (before?.secretMade !== after?.secretMade) return 'made a new secret'
    if (before?.state !== after?.state)
      return after?.state === 'active' ? 'resumed it' : after?.state === 'paused' ? 'paused it' : 'switched it off'
    const names = (['name', 'address', 'types'] as const).filter((name) => String(before?.[name]) !== String(after?.[name]))
    return `changed ${names.map((name) => labels[name].toLowerCase()).join(', ')}`
  }
  return <HistoryCard history={history} what={describeChange} />
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { lastAccepted, secretMade, previousUntil } = webhook
  return (
    <>
      {lastAccepted ? `Accepted a message ${displayDateTime(lastAccepted)}` : 'Nothing accepted yet'} · secret created{' '}
      {displayDateTime(secretMade)}
      {previousUntil && ` · messages are also signed with the previous one until ${displayDateTime(previousUntil)}`}
    </>
  )
}

function Editor({ loaded, onMade }: { loaded: Webhook | null; onMade: (created: Webhook) => Promise<void> }) {
  const [secret, setSecret] = useState<NewSecret | null>(null)
  const withSecret = ({ secret: shown, ...webhook }: Webhook & { secret: string }): Webhook => {
    setSecret({
      title: 'Secret of the webhook',
      hint: 'Copy it into the system that receives the messages now. That system uses it to check their signatures.',
      lines: [{ label: 'Secret', value: shown }],
      previousSecretNote:
        webhook.previousUntil &&
        `Messages are also signed with the previous secret until ${displayDateTime(webhook.previousUntil)}, to give you time to switch the system over.`,
    })
    return webhook
  }
  const { mutateAsync: create } = trpc.webhooks.create.useMutation()
  const { mutateAsync: update } = trpc.webhooks.update.useMutation()
  const { mutateAsync: remove } = trpc.webhooks.delete.useMutation()
  const { mutateAsync: makeSecret } = trpc.webhooks.rotate.useMutation()
  const { mutateAsync: pause } = trpc.webhooks.pause.useMutation()
  const { mutateAsync: resume } = trpc.webhooks.resume.useMutation()
  const { mutateAsync: test } = trpc.webhooks.test.useMutation()
  const editor = useEditor<Draft, Draft, Webhook>({
    term,
    loaded,
    valuesOf: toDraft,
    blank: { name: '', address: '', types: [...integrationEventTypes] },
    labels,
    check: validate,
    save: async (draft, before) =>
      before ? update({ ...draft, id: before.id, version: before.version }) : withSecret(await create(draft)),
    reload: ({ id }) => api.webhooks.get.query({ id }),
    createUndo: ({ id, version }, before) => before && (() => update({ ...toDraft(before), id, version })),
    onSaved: (saved, isNew) => isNew && onMade(saved),
    remove: { run: ({ id }) => remove({ id }), lost: 'Its secret and its messages are deleted with it, and nothing more is sent.' },
    list: integrationsPath,
  })
  const { values: draft, set, saved: webhook, busy, isUnsaved, error } = editor
  const rotate = (): void =>
    void modals.openConfirmModal({
      title: 'New secret',
      children: (
        <Text size="sm">
          A new secret is created and shown once. Messages are also signed with the current one for one more day; any older one stops
          working immediately.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Create new secret' },
      onConfirm: () => void editor.change(async () => withSecret(await makeSecret({ id: assertDefined(webhook).id }))),
    })
  const act = (work: (by: { id: number }) => Promise<Webhook>, notice: string) => (): void =>
    void editor.change(async () => {
      const after = await work({ id: assertDefined(webhook).id })
      notifySuccess(notice)
      return after
    })
  return (
    <>
      <EditorHeader
        editor={editor}
        title={webhook?.name ?? 'Add webhook'}
        documentTitle={`${webhook ? 'Edit' : 'Add'} - Webhook - Console`}
        pills={webhook && <WebhookStateLabel webhook={webhook} />}
        facts={webhook && <Facts webhook={webhook} />}
        saveLabel={webhook ? 'Save' : 'Add and show secret'}
      >
        {webhook && (
          <>
            <Button variant="default" onClick={act(test, 'A test message is on its way')} disabled={busy || isUnsaved}>
              Send test message
            </Button>
            {webhook.state === 'active' ? (
              <Button variant="default" onClick={act(pause, 'Paused webhook')} disabled={busy || isUnsaved}>
                Pause
              </Button>
            ) : (
              <Button variant="default" onClick={act(resume, 'Resumed webhook')} disabled={busy || isUnsaved}>
                Resume
              </Button>
            )}
            <Button variant="default" onClick={rotate} disabled={busy || isUnsaved}>
              New secret
            </Button>
          </>
        )}
      </EditorHeader>
      {secret && <SecretDialog shown={secret} onClose={() => setSecret(null)} />}
      {webhook?.state === 'disabled' && (
        <Alert color="orange" title="Switched off" mb="md" maw={720}>
          {webhook.reason} Resume the webhook once the other system responds: messages held in the meantime are then sent.
        </Alert>
      )}
      {webhook?.state === 'paused' && (
        <Alert color="blue" title="Paused" mb="md" maw={720}>
          Nothing is sent. Messages are held and sent once it is resumed.
        </Alert>
      )}
      <Card style={{ maxWidth: 720 }}>
        <CardBody className={classes.fields}>
          <div data-field="name">
            <TextInput
              label="Name"
              description="The system that receives the messages, such as the trust’s ledger."
              required
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={error('name')}
              maxLength={100}
              autoFocus={!webhook}
            />
          </div>
          <div data-field="address">
            <TextInput
              label="Address"
              description="The address that accepts a POST, such as https://ledger.example/bursar. It must be public, and redirects are not followed."
              required
              value={draft.address}
              onChange={(event) => set({ address: event.currentTarget.value })}
              error={error('address')}
              maxLength={500}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div data-field="types">
            <Checkbox.Group
              label="Events"
              required
              value={draft.types}
              onChange={(types) => set({ types: integrationEventTypes.filter((type) => types.includes(type)) })}
              error={error('types')}
            >
              <div className={classes.types}>
                {integrationEventTypes.map((type) => (
                  <Checkbox key={type} value={type} label={integrationEvents[type].replace(/\.$/, '')} description={type} />
                ))}
              </div>
            </Checkbox.Group>
          </div>
        </CardBody>
      </Card>
      <Card style={{ maxWidth: 720, marginTop: 16 }} aria-label="Help">
        <CardHead>What the other system does</CardHead>
        <CardBody className={textStyles.dim}>
          <p className={classes.help}>
            Each message is a JSON POST that says what happened and when, with the ids for looking up the details, as in the{' '}
            <a href="/api/docs">events feed</a>. It contains no names or amounts.
          </p>
          <p className={classes.help}>
            The other system checks <code>webhook-signature</code> with the secret, as described by{' '}
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
              Standard Webhooks
            </a>{' '}
            (there are libraries for most languages), processes each <code>webhook-id</code> once, and responds with 200 within 15 seconds.
          </p>
          <p className={classes.help}>
            After any other response the message is retried, ten times over three days. If nothing is accepted for three days, the webhook
            is switched off and the people who manage it see a notice on every page.
          </p>
        </CardBody>
      </Card>
      {webhook && <WebhookDeliveries webhook={webhook} />}
      {webhook && <History id={webhook.id} />}
    </>
  )
}

export function WebhookPage() {
  const { id } = useParams()
  const valid = !id || /^\d{1,9}$/.test(id)
  const webhook = trpc.webhooks.get.useQuery(
    { id: Number(id) },
    { enabled: Boolean(id) && valid, staleTime: 0, refetchInterval: 15_000, ...withoutStructuralSharing },
  )
  const form = useStableForm<Webhook>(`${integrationsPath}/webhooks`, id)
  if (!id) return <Editor key={form.key} loaded={null} onMade={form.moveToUrlOf} />
  const loaded = webhook.data ?? form.created
  if (!valid || (webhook.isError && !loaded && toPublicError(webhook.error).kind === 'notFound')) return <NotFound back={listLink} />
  // Keep unsaved input if a later refetch fails.
  if (loaded) return <Editor key={form.key} loaded={loaded} onMade={form.moveToUrlOf} />
  if (webhook.isError) return <LoadFailed query={webhook} />
  return <Skeleton height={160} />
}
