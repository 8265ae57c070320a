import { Button, PasswordInput, Skeleton, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useParams } from 'react-router'
import {
  fileLocationParameter,
  fillInParameterDefaults,
  findParameterProblems,
  getIntegrationTypeName,
  isActionAddress,
  listIntegrationParameters,
  maximumParameterLength,
  type ParameterDeclaration,
  secretPlaceholder,
  usesServerFolder,
} from '../../domain/integrations/credentials.ts'
import { integrationType } from '../../domain/lookups/lookupIds.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { isRecord } from '../../domain/values/unknownValues.ts'
import { notices } from '../../domain/words/notices.ts'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { useStableForm } from '../resources/editor/useStableForm.ts'
import { HistoryCard } from '../resources/record/HistoryCard.tsx'
import { api, ClientRefusalError, fetchRest, type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifySuccess } from '../shell/notify.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { Card, CardBody } from '../ui/layout/Card.tsx'
import classes from './Integrations.module.css'
import { CredentialStatusLabel, integrationsPath, LastTestResult, useCredentialStatuses } from './linkStatus.tsx'

type Credential = RouterOutputs['integrations']['get']
type Parameter = RouterOutputs['integrations']['parameters'][number]
/** A credential for another system and its settings, as one form record. */
type Link = Credential & { parameters: Parameter[] }

interface Draft {
  description: string
  integrationType: number
  parameters: Record<string, string>
}

const term = { singular: 'Credential', plural: 'Credentials' }
const labels = { description: 'Description', integrationType: 'Type', parameters: 'Settings' }
const listLink = { to: integrationsPath, label: 'Back to the integrations' }

const toDraft = ({ description, integrationType: type, parameters }: Link): Draft => ({
  description,
  integrationType: type,
  parameters: Object.fromEntries(parameters.filter(({ actionUrl }) => !actionUrl).map(({ name, value }) => [name, value])),
})

function validate(draft: Draft, isNew: boolean) {
  const description = draft.description.trim()
  const problems = [
    ...(description ? [] : [{ field: 'description', message: 'Description is required.' }]),
    ...(isNew ? [] : findParameterProblems(draft.integrationType, draft.parameters)),
  ]
  return problems.length ? { input: null, problems } : { input: { ...draft, description }, problems: [] as const }
}

/** The field for one setting. */
function Setting({
  kind,
  value,
  error,
  isRequired,
  set,
}: {
  kind: ParameterDeclaration
  value: string
  error: ReactNode
  isRequired: boolean
  set: (value: string) => void
}) {
  const { name, label, hint, choices, isSecret, isLong } = kind
  const props = {
    label,
    description: hint,
    error,
    withAsterisk: isRequired,
    value,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  }
  // A saved secret is shown as dots. They are selected, so that the first key pressed replaces them.
  const clear =
    isSecret && value === secretPlaceholder
      ? { onFocus: (event: { currentTarget: { select: () => void } }) => event.currentTarget.select() }
      : {}
  const field = choices ? (
    <Choice {...props} data={choices} onChange={(chosen) => set(chosen ?? '')} />
  ) : isLong ? (
    <Textarea
      {...props}
      {...clear}
      maxLength={maximumParameterLength}
      autosize
      minRows={2}
      maxRows={8}
      autoComplete="off"
      spellCheck={false}
    />
  ) : isSecret ? (
    <PasswordInput {...props} {...clear} maxLength={maximumParameterLength} autoComplete="new-password" />
  ) : (
    <TextInput {...props} maxLength={maximumParameterLength} autoComplete="off" spellCheck={false} />
  )
  return <div data-field={name}>{field}</div>
}

/** Lists the settings to show for the chosen sign-in method. */
function listShownParameters({ integrationType: type, parameters }: Draft): readonly ParameterDeclaration[] {
  const { signIn, place } = parameters
  const ofKey = ['keyHeader', 'apiKey']
  const ofTokens = ['tokenAddress', 'clientId', 'clientSecret', 'tokenScope']
  return listIntegrationParameters(type).filter(
    ({ name }) =>
      // If the server has no folder for files, the choice of folder is hidden.
      (name !== fileLocationParameter || place !== undefined) &&
      (!usesServerFolder(parameters) || ['place', 'folder'].includes(name)) &&
      (signIn === 'apiKey' || !ofKey.includes(name)) &&
      (signIn === 'oauth2' || !ofTokens.includes(name)),
  )
}

function History({ id }: { id: number }) {
  const history = trpc.integrations.history.useQuery({ id })
  const describeChange = ({ action, before, after }: NonNullable<typeof history.data>[number]): string => {
    if (action === 'created') return 'added it'
    if (before?.description !== after?.description) return `renamed it from ${String(before?.description)}`
    const [from, to] = [before?.parameters, after?.parameters].map((one) => (isRecord(one) ? one : {}))
    const names = listIntegrationParameters(Number(after?.integrationType)).filter(({ name }) => from?.[name] !== to?.[name])
    return `changed ${names.map(({ label }) => label).join(', ') || 'its settings'}`
  }
  return <HistoryCard history={history} what={describeChange} />
}

/**
 * Calls the URL that the server gave for an action.
 * @throws ClientRefusal if the URL is not one of this product, because the token must not be sent elsewhere (behaviour B-248)
 */
async function callAction(address: string): Promise<void> {
  if (!isActionAddress(address, window.location.origin))
    throw new ClientRefusalError('The action was not started because its address does not belong to Bursar.', [])
  const reply = await fetchRest(address, { method: 'POST' })
  if (!reply.ok) throw new ClientRefusalError(await reply.text(), [])
}

async function toLink(credential: Credential): Promise<Link> {
  return { ...credential, parameters: await api.integrations.parameters.query({ id: credential.id }) }
}

function Editor({ loaded, onMade }: { loaded: Link | null; onMade: (created: Link) => Promise<void> }) {
  const { mutateAsync: create } = trpc.integrations.create.useMutation()
  const { mutateAsync: update } = trpc.integrations.update.useMutation()
  const { mutateAsync: remove } = trpc.integrations.delete.useMutation()
  const { statuses, readAgain } = useCredentialStatuses()
  const status = statuses.get(loaded?.id ?? 0)
  const editor = useEditor<Draft, Draft, Link>({
    term,
    loaded,
    valuesOf: toDraft,
    blank: { description: '', integrationType: integrationType.webService, parameters: {} },
    labels,
    notice: loaded ? notices.savedParameters : notices.saved,
    check: (draft) => validate(draft, !loaded),
    save: async (draft, before) => {
      if (!before) return toLink(await create({ description: draft.description, integrationType: draft.integrationType }))
      const { id, version } = before
      const savedValues = new Map(before.parameters.map((one) => [one.name, one.value]))
      const settings = Object.entries(draft.parameters)
        .filter(([name, value]) => savedValues.get(name) !== value)
        .map(([name, value]) => ({ name, value }))
      return toLink(await update({ id, version, description: draft.description, settings }))
    },
    reload: async ({ id }) => toLink(await api.integrations.get.query({ id })),
    onSaved: (saved, isNew) => isNew && onMade(saved),
    remove: {
      run: ({ id }) => remove({ id }),
      lost: 'The credential’s secrets are deleted too. To connect again you would need new secrets from the other system.',
    },
    list: integrationsPath,
  })
  const { values: draft, set, busy, error } = editor
  const actions = loaded?.parameters.filter(({ actionUrl }) => actionUrl) ?? []
  const act = (address: string): void =>
    void editor.change(async () => {
      await callAction(address)
      notifySuccess(notices.processedRequest)
      await readAgain()
      return assertDefined(loaded)
    })
  return (
    <>
      <EditorHeader
        editor={editor}
        title={loaded?.description ?? 'Add credential'}
        documentTitle={`${loaded ? 'Edit' : 'Add'} - Integrations - Console`}
        pills={loaded && <CredentialStatusLabel status={status} />}
        facts={
          loaded && (
            <>
              {getIntegrationTypeName(loaded.integrationType)}
              {status?.checkedAt && ' · '}
              <LastTestResult status={status} />
            </>
          )
        }
        saveLabel={loaded ? 'Save' : 'Add'}
      >
        {actions.map(({ name, label, actionUrl }) => (
          <Button key={name} variant="default" disabled={busy || editor.isUnsaved} onClick={() => act(assertDefined(actionUrl))}>
            {label}
          </Button>
        ))}
      </EditorHeader>
      <Card style={{ overflow: 'visible', maxWidth: 720 }}>
        <CardBody className={classes.fields}>
          <div data-field="description">
            <TextInput
              label="Description"
              description={loaded ? undefined : 'What it connects to, such as the trust’s ledger.'}
              required
              value={draft.description}
              onChange={(event) => set({ description: event.currentTarget.value })}
              error={error('description')}
              maxLength={100}
              autoFocus={!loaded}
            />
          </div>
          {loaded ? (
            listShownParameters(draft).map((kind) => (
              <Setting
                key={kind.name}
                kind={kind}
                value={draft.parameters[kind.name] ?? ''}
                isRequired={Boolean(kind.isNeeded?.(fillInParameterDefaults(draft.integrationType, draft.parameters)))}
                set={(value) => set({ parameters: { ...draft.parameters, [kind.name]: value } })}
                error={
                  // Parameters are also fields of the form. Their names depend on the kind of system, so the compiler does not know them.
                  error(kind.name as never)
                }
              />
            ))
          ) : (
            <div data-field="integrationType">
              <Choice
                label="Type"
                description="A web service uses HTTPS; files use SFTP or a folder. The type cannot be changed later."
                data={lookups.financialIntegrationTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={String(draft.integrationType)}
                onChange={(type) => set({ integrationType: Number(type) })}
              />
            </div>
          )}
        </CardBody>
      </Card>
      {loaded && <History id={loaded.id} />}
    </>
  )
}

export function CredentialPage() {
  const { id } = useParams()
  const valid = !id || /^\d{1,9}$/.test(id)
  const options = { enabled: Boolean(id) && valid, staleTime: 0 }
  const credential = trpc.integrations.get.useQuery({ id: Number(id) }, options)
  const parameters = trpc.integrations.parameters.useQuery({ id: Number(id) }, options)
  const form = useStableForm<Link>(integrationsPath, id)
  const read = useMemo(
    () => (credential.data && parameters.data ? { ...credential.data, parameters: parameters.data } : null),
    [credential.data, parameters.data],
  )
  if (!id) return <Editor key={form.key} loaded={null} onMade={form.moveToUrlOf} />
  const loaded = read ?? form.created
  if (!valid || (credential.isError && !loaded && toPublicError(credential.error).kind === 'notFound')) return <NotFound back={listLink} />
  // Keep unsaved input if a later refetch fails.
  if (loaded) return <Editor key={form.key} loaded={loaded} onMade={form.moveToUrlOf} />
  if (credential.isError) return <LoadFailed query={credential} />
  if (parameters.isError) return <LoadFailed query={parameters} />
  return <Skeleton height={160} />
}
