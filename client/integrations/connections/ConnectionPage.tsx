import { Alert, Button, Skeleton, TextInput } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { type ConnectionKindName, connectionKindNames, findConnectionKind } from '../../../domain/integrations/connections/all.ts'
import { checkPath, type ExchangeFormat } from '../../../domain/integrations/connections/connection.ts'
import { type FieldMapping, findMappingProblems } from '../../../domain/integrations/connections/mapping.ts'
import { describeSchedule, type Schedule, type ScheduleInterval, weekDays } from '../../../domain/integrations/connections/schedule.ts'
import { getIntegrationTypeName } from '../../../domain/integrations/credentials.ts'
import type { FileSelection } from '../../../domain/integrations/files/connections.ts'
import { integrationType } from '../../../domain/lookups/lookupIds.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { HistoryCard } from '../../resources/record/HistoryCard.tsx'
import { api, type RouterOutputs, toPublicError, trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { downloadFile, notifySuccess } from '../../shell/notify.tsx'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { initialFileSelection, LedgerFileFields, useFileYear } from '../files/FileChoice.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath, withoutStructuralSharing } from '../linkStatus.tsx'
import { ColumnMapping, useSampleFields } from './ColumnMapping.tsx'
import { ConnectionRuns } from './ConnectionRuns.tsx'
import { activePollMs, type Connection, ConnectionStateLabel, idlePollMs } from './connectionState.tsx'

type Credential = RouterOutputs['integrations']['list'][number]

interface Draft {
  name: string
  kind: ConnectionKindName
  credentialId: number | null
  path: string
  format: ExchangeFormat
  schedule: Schedule
  file: FileSelection
  mapping: FieldMapping
}

const term = { singular: 'Connection', plural: 'Connections' }
const labels = {
  name: 'Name',
  kind: 'What it does',
  credentialId: 'Credential',
  path: 'Path',
  format: 'Format',
  schedule: 'Schedule',
  file: 'File',
  mapping: 'Fields',
}
const listLink = { to: integrationsPath, label: 'Back to the integrations' }
const noMapping: FieldMapping = { records: '', columns: [] }
const toDraft = ({ name, kind, credentialId, path, format, schedule, file, mapping }: Connection): Draft => ({
  name,
  kind,
  credentialId,
  path,
  format,
  schedule,
  file: file ?? initialFileSelection,
  mapping: mapping ?? noMapping,
})

const intervals: { value: ScheduleInterval; label: string }[] = [
  { value: 'never', label: 'Only manually' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
]

function validate(draft: Draft, firstYear: string) {
  const { credentialId, file, kind, mapping } = draft
  const name = draft.name.trim()
  const isOutgoing = findConnectionKind(kind).direction === 'out'
  const wrongPath = checkPath(draft.path.trim())
  const problems = [
    ...(name ? [] : [{ field: 'name', message: 'Name is required.' }]),
    ...(credentialId ? [] : [{ field: 'credentialId', message: 'Choose a credential.' }]),
    ...(wrongPath ? [{ field: 'path', message: wrongPath }] : []),
    ...(isOutgoing ? [] : findMappingProblems(findConnectionKind(kind), mapping)),
  ]
  if (problems.length || !credentialId) return { input: null, problems }
  const sent = isOutgoing ? { ...file, yearName: file.yearName || firstYear } : null
  const columns = mapping.columns.filter(({ field, text }) => field.trim() || text.trim())
  const sentMapping = isOutgoing ? null : { records: mapping.records.trim(), columns }
  return { input: { ...draft, name, path: draft.path.trim(), credentialId, file: sent, mapping: sentMapping }, problems: [] as const }
}

function History({ id }: { id: number }) {
  const history = trpc.connections.history.useQuery({ id })
  const describeChange = ({ action, before, after }: NonNullable<typeof history.data>[number]): string => {
    if (action === 'created') return 'added it'
    if (before?.state !== after?.state) return after?.state === 'active' ? 'resumed it' : 'paused it'
    const names = keysOf(labels).filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    return `changed ${names.map((name) => labels[name].toLowerCase()).join(', ') || 'where it leads'}`
  }
  return <HistoryCard history={history} what={describeChange} />
}

/** Fields for when a connection runs automatically. */
function ScheduleFields({ schedule, set, error }: { schedule: Schedule; set: (schedule: Schedule) => void; error: React.ReactNode }) {
  const { every, at, day } = schedule
  const part = (changes: Partial<Schedule>): void => set({ ...schedule, ...changes })
  return (
    <div className={classes.triple} data-field="schedule">
      <Choice
        label="Runs"
        data={intervals}
        value={every}
        onChange={(next) => next && part({ every: next, day: next === 'week' ? Math.min(day, 7) : day })}
        error={error}
      />
      {every === 'week' && (
        <Choice
          label="On"
          data={weekDays.map((name, index) => ({ value: String(index + 1), label: name }))}
          value={String(day)}
          onChange={(value) => part({ day: Number(value) })}
        />
      )}
      {every === 'month' && (
        <Choice
          label="On day"
          data={Array.from({ length: 28 }, (_unused, index) => String(index + 1))}
          value={String(day)}
          onChange={(value) => part({ day: Number(value) })}
        />
      )}
      {every === 'hour' && (
        <Choice
          label="Minutes past"
          data={Array.from({ length: 12 }, (_unused, index) => String(index * 5).padStart(2, '0'))}
          value={at.slice(3)}
          onChange={(value) => part({ at: `00:${value}` })}
        />
      )}
      {every !== 'never' && every !== 'hour' && (
        <TextInput
          label="At"
          description="London time"
          type="time"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={at}
          onChange={(event) => event.currentTarget.value && part({ at: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

/** Explains what a connection needs from the other system, with an example of its file. */
function Help({ kind }: { kind: ConnectionKindName }) {
  const { needs, example } = findConnectionKind(kind)
  const csv = (): string =>
    [example?.headings ?? [], ...(example?.rows ?? [])]
      .map((row) => row.map((cell) => (/[,"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
      .join('\r\n')
  return (
    <Card style={{ maxWidth: 720, marginTop: 16 }} aria-label="Help">
      <CardHead>What the other system does</CardHead>
      <CardBody className={textStyles.dim}>
        {needs.map((need) => (
          <p className={classes.help} key={need}>
            {need}
          </p>
        ))}
        {example ? (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => downloadFile({ fileName: example.fileName, contentType: 'text/csv; charset=utf-8', body: `${csv()}\r\n` })}
          >
            Download an example
          </Button>
        ) : (
          <p className={classes.help}>
            You can preview and download the file under <Link to={`${integrationsPath}/files`}>Files for the ledger</Link>.
          </p>
        )}
      </CardBody>
    </Card>
  )
}

function Facts({ connection: { destination, schedule, state, nextRun, problem } }: { connection: Connection }) {
  return (
    <>
      {destination} · {state === 'paused' ? 'no automatic runs while it is paused' : describeSchedule(schedule)}
      {nextRun && ` · ${problem ? 'tried again' : 'next'} ${displayDateTime(nextRun)}`}
    </>
  )
}

function Editor({
  loaded,
  credentials,
  onMade,
}: {
  loaded: Connection | null
  credentials: readonly Credential[]
  onMade: (created: Connection) => Promise<void>
}) {
  const may = usePermissionCheck()
  const kinds = connectionKindNames.filter((name) => may([findConnectionKind(name).permission]))
  const { mutateAsync: create } = trpc.connections.create.useMutation()
  const { mutateAsync: update } = trpc.connections.update.useMutation()
  const { mutateAsync: remove } = trpc.connections.delete.useMutation()
  const { mutateAsync: pause } = trpc.connections.pause.useMutation()
  const { mutateAsync: resume } = trpc.connections.resume.useMutation()
  const { mutateAsync: runNow } = trpc.connections.run.useMutation()
  const { mutateAsync: testConnection } = trpc.connections.try.useMutation()
  const { year } = useFileYear(initialFileSelection)
  const editor = useEditor<Draft, NonNullable<ReturnType<typeof validate>['input']>, Connection>({
    term,
    loaded,
    valuesOf: toDraft,
    blank: {
      name: '',
      kind: kinds[0] ?? 'budgetJournal',
      credentialId: credentials.length === 1 ? (credentials[0]?.id ?? null) : null,
      path: '',
      format: 'csv',
      schedule: { every: 'never', at: '02:30', day: 1 },
      file: initialFileSelection,
      mapping: noMapping,
    },
    labels,
    check: (draft) => validate(draft, year),
    save: (input, before) => (before ? update({ ...input, id: before.id, version: before.version }) : create(input)),
    reload: ({ id }) => api.connections.get.query({ id }),
    onSaved: (saved, isNew) => isNew && onMade(saved),
    remove: {
      run: ({ id }) => remove({ id }),
      lost: 'The list of the connection’s runs is deleted too. What the connection sent or imported is kept.',
    },
    list: integrationsPath,
  })
  const { values: draft, set, saved: connection, busy, isUnsaved, error } = editor
  const sample = useSampleFields(connection)
  const { direction, about, of } = findConnectionKind(draft.kind)
  const examplePath = direction === 'out' ? '/api/journals' : of === 'month' ? '/api/actuals/{month}' : '/api/numbers'
  const credential = credentials.find(({ id }) => id === draft.credentialId)
  const isFolder = credential?.integrationType === integrationType.fileExchange
  const act = (work: (by: { id: number }) => Promise<Connection>, notice: string) => (): void =>
    void editor.change(async () => {
      const after = await work({ id: assertDefined(connection).id })
      notifySuccess(notice)
      return after
    })
  const isBlocked = busy || isUnsaved || Boolean(connection?.isUnderWay)
  return (
    <>
      <EditorHeader
        editor={editor}
        title={connection?.name ?? 'Add connection'}
        documentTitle={`${connection ? 'Edit' : 'Add'} - Connection - Console`}
        pills={connection && <ConnectionStateLabel connection={connection} />}
        facts={connection && <Facts connection={connection} />}
        saveLabel={connection ? 'Save' : 'Add'}
      >
        {connection && (
          <>
            <Button variant="default" onClick={act(testConnection, 'Test started')} disabled={isBlocked}>
              Test
            </Button>
            <Button variant="default" onClick={act(runNow, 'Run started')} disabled={isBlocked}>
              Run now
            </Button>
            {connection.state === 'active' ? (
              <Button variant="default" onClick={act(pause, 'Paused connection')} disabled={busy || isUnsaved}>
                Pause
              </Button>
            ) : (
              <Button variant="default" onClick={act(resume, 'Resumed connection')} disabled={busy || isUnsaved}>
                Resume
              </Button>
            )}
          </>
        )}
      </EditorHeader>
      {connection?.problem && (
        <Alert color="orange" title="The last run failed" mb="md" maw={720}>
          {connection.problem}
        </Alert>
      )}
      <Card style={{ overflow: 'visible', maxWidth: 720 }}>
        <CardBody className={classes.fields}>
          <div data-field="name">
            <TextInput
              label="Name"
              description={connection ? undefined : 'What it transfers, such as Budget to the ledger.'}
              required
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={error('name')}
              maxLength={100}
              autoFocus={!connection}
            />
          </div>
          <div data-field="kind">
            <Choice
              label="What it does"
              description={about}
              data={(connection ? [draft.kind] : kinds).map((name) => {
                const { title, direction } = findConnectionKind(name)
                return { value: name, label: direction === 'out' ? `Send out: ${title}` : `Fetch: ${title}` }
              })}
              value={draft.kind}
              disabled={Boolean(connection)}
              onChange={(kind) => kind && set({ kind, mapping: noMapping })}
              error={error('kind')}
            />
          </div>
          <div data-field="credentialId">
            <Choice
              label="Credential"
              description="The other system’s address, with the secret to sign in to it."
              required
              placeholder="Choose"
              data={credentials.map(({ id, description, integrationType: type }) => ({
                value: String(id),
                label: `${description} (${getIntegrationTypeName(type)})`,
              }))}
              value={draft.credentialId ? String(draft.credentialId) : null}
              onChange={(value) => set({ credentialId: Number(value) || null })}
              error={error('credentialId')}
            />
          </div>
          <div data-field="path">
            <TextInput
              label={isFolder ? 'Folder' : 'Path'}
              description={
                isFolder
                  ? 'A folder within the credential’s folder. Leave empty for the folder itself.'
                  : `A path on the web service, such as ${examplePath}. Leave empty for the address of the credential.`
              }
              value={draft.path}
              onChange={(event) => set({ path: event.currentTarget.value })}
              error={error('path')}
              maxLength={300}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          {!isFolder && (
            <div data-field="format">
              <Choice
                label="Format"
                data={[
                  { value: 'csv', label: 'CSV' },
                  { value: 'json', label: 'JSON' },
                ]}
                value={draft.format}
                onChange={(format) => format && set({ format })}
                error={error('format')}
              />
            </div>
          )}
          {direction === 'out' && (
            <div data-field="file" className={classes.fields}>
              <LedgerFileFields file={draft.file} set={(part) => set({ file: { ...draft.file, ...part } })} layoutError={error('file')} />
            </div>
          )}
          <ScheduleFields schedule={draft.schedule} set={(schedule) => set({ schedule })} error={error('schedule')} />
        </CardBody>
      </Card>
      {direction === 'in' && (
        <ColumnMapping
          key={draft.kind}
          kind={draft.kind}
          isFile={isFolder || draft.format === 'csv'}
          mapping={draft.mapping}
          sample={sample}
          set={(mapping) => set({ mapping })}
          error={error}
        />
      )}
      {connection && <ConnectionRuns connection={connection} />}
      <Help kind={draft.kind} />
      {connection && <History id={connection.id} />}
    </>
  )
}

export function ConnectionPage() {
  const { id } = useParams()
  const valid = !id || /^\d{1,9}$/.test(id)
  const connection = trpc.connections.get.useQuery(
    { id: Number(id) },
    {
      enabled: Boolean(id) && valid,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.isUnderWay ? activePollMs : idlePollMs),
      ...withoutStructuralSharing,
    },
  )
  const list = trpc.integrations.list.useQuery()
  const form = useStableForm<Connection>(`${integrationsPath}/connections`, id)
  const credentials = list.data?.filter(({ integrationType: type }) => type !== integrationType.none)
  if (!valid || (connection.isError && !form.created && toPublicError(connection.error).kind === 'notFound'))
    return <NotFound back={listLink} />
  if (list.isError) return <LoadFailed query={list} />
  if (!credentials) return <Skeleton height={160} />
  if (!id && !credentials.length)
    return (
      <>
        <PageHead title="Add connection" documentTitle="Add - Connection - Console" />
        <EmptyState>
          <h2>Add a credential first</h2>
          <p>A connection needs a credential: the other system’s address and the secret to sign in to it.</p>
          <Link to={`${integrationsPath}/add`}>Add credential</Link>
        </EmptyState>
      </>
    )
  if (!id) return <Editor key={form.key} loaded={null} credentials={credentials} onMade={form.moveToUrlOf} />
  const loaded = connection.data ?? form.created
  // Keep unsaved input if a later refetch fails.
  if (loaded) return <Editor key={form.key} loaded={loaded} credentials={credentials} onMade={form.moveToUrlOf} />
  if (connection.isError) return <LoadFailed query={connection} />
  return <Skeleton height={160} />
}
