import { ActionIcon, Button, Checkbox, Skeleton, Text, TextInput } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useParams, useSearchParams } from 'react-router'
import {
  cellMeaningNames,
  cellMeanings,
  type FileLayout,
  findLayoutProblems,
  type LayoutColumn,
} from '../../../domain/integrations/files/layout.ts'
import { presets } from '../../../domain/integrations/files/presets.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { api, type RouterOutputs, toPublicError, trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath } from '../linkStatus.tsx'

type Saved = RouterOutputs['filesOut']['layout']

interface Draft extends FileLayout {
  name: string
}

const term = { singular: 'Layout', plural: 'Layouts' }
const labels = {
  name: 'Name',
  columns: 'Columns',
  hasHeadings: 'Headings',
  rowsBy: 'Rows',
  dates: 'Dates',
  balanceAccount: 'Balance',
  levyAccount: 'Levy',
  mostRows: 'Maximum rows',
}
const list = `${integrationsPath}/files`
const toDraft = ({ name, layout }: Saved): Draft => ({ name, ...layout })

function validate({ name: typed, ...layout }: Draft) {
  const name = typed.trim()
  const problems = [...(name ? [] : [{ field: 'name', message: 'Name is required.' }]), ...findLayoutProblems(layout)]
  return problems.length ? { input: null, problems } : { input: { name, layout }, problems: [] as const }
}

function Columns({ columns, set, error }: { columns: LayoutColumn[]; set: (columns: LayoutColumn[]) => void; error?: string }) {
  const change = (at: number, part: Partial<LayoutColumn>): void =>
    set(columns.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <div data-field="columns" className={classes.fields}>
      {columns.map((column, at) => (
        <div key={at} className={classes.column}>
          <TextInput
            aria-label={`Heading of column ${at + 1}`}
            placeholder="Heading"
            value={column.heading}
            maxLength={100}
            onChange={(event) => change(at, { heading: event.currentTarget.value })}
          />
          <Choice
            aria-label={`Content of column ${at + 1}`}
            data={cellMeaningNames.map((name) => ({ value: name, label: cellMeanings[name] }))}
            value={column.meaning}
            onChange={(meaning) => meaning && change(at, { meaning })}
          />
          {column.meaning === 'text' ? (
            <TextInput
              aria-label={`Text of column ${at + 1}`}
              placeholder="Text, or leave empty"
              value={column.text}
              maxLength={200}
              onChange={(event) => change(at, { text: event.currentTarget.value })}
            />
          ) : (
            <span />
          )}
          <ActionIcon
            variant="default"
            size="lg"
            disabled={at === 0}
            aria-label={`Move column ${at + 1} up`}
            onClick={() => set(columns.toSpliced(at - 1, 2, column, assertDefined(columns[at - 1])))}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <RemoveButton variant="default" size="lg" label={`Remove column ${at + 1}`} onRemove={() => set(columns.toSpliced(at, 1))} />
        </div>
      ))}
      {error && (
        <Text size="sm" c="var(--bad)" role="alert">
          {error}
        </Text>
      )}
      <div>
        <Button size="compact-sm" variant="default" onClick={() => set([...columns, { heading: '', meaning: 'text', text: '' }])}>
          Add column
        </Button>
      </div>
    </div>
  )
}

function Editor({ loaded, start, onMade }: { loaded: Saved | null; start: FileLayout; onMade: (created: Saved) => Promise<void> }) {
  const { mutateAsync: create } = trpc.filesOut.createLayout.useMutation()
  const { mutateAsync: update } = trpc.filesOut.updateLayout.useMutation()
  const { mutateAsync: remove } = trpc.filesOut.deleteLayout.useMutation()
  const editor = useEditor<Draft, { name: string; layout: FileLayout }, Saved>({
    term,
    loaded,
    valuesOf: toDraft,
    blank: { name: '', ...start },
    labels,
    check: validate,
    save: (input, before) => (before ? update({ ...input, id: before.id, version: before.version }) : create(input)),
    reload: ({ id }) => api.filesOut.layout.query({ id }),
    createUndo: ({ id, version }, before) => before && (() => update({ name: before.name, layout: before.layout, id, version })),
    onSaved: (saved, isNew) => isNew && onMade(saved),
    remove: { run: ({ id }) => remove({ id }), lost: 'Its columns and settings are deleted too.' },
    list,
  })
  const { values: draft, set, saved, error } = editor
  return (
    <>
      <EditorHeader
        editor={editor}
        title={saved?.name ?? 'Add layout'}
        documentTitle={`${saved ? 'Edit' : 'Add'} - Layout - Console`}
        facts="The layout of a file for your ledger. Everyone who can read reports can use it."
        saveLabel={saved ? 'Save' : 'Add'}
      />
      <Card style={{ maxWidth: 860 }}>
        <CardBody className={classes.fields}>
          <div data-field="name">
            <TextInput
              label="Name"
              required
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={error('name')}
              maxLength={100}
              autoFocus={!saved}
            />
          </div>
          <div className={classes.types}>
            <Choice
              label="Rows"
              data={[
                { value: 'month', label: 'A row for each coding and month' },
                { value: 'year', label: 'A row for each coding' },
              ]}
              value={draft.rowsBy}
              onChange={(rowsBy) => rowsBy && set({ rowsBy })}
            />
            <Choice
              label="Dates"
              data={[
                { value: 'dd/mm/yyyy', label: '31/12/2026' },
                { value: 'yyyy-mm-dd', label: '2026-12-31' },
              ]}
              value={draft.dates}
              onChange={(dates) => dates && set({ dates })}
            />
            <TextInput
              label="Balancing account"
              description="A line on this account balances the journal for each date. Leave empty to add no balancing lines."
              value={draft.balanceAccount}
              maxLength={50}
              onChange={(event) => set({ balanceAccount: event.currentTarget.value.trim() })}
            />
            <TextInput
              label="Apprenticeship levy account"
              description="The levy has no budget code."
              value={draft.levyAccount}
              maxLength={50}
              onChange={(event) => set({ levyAccount: event.currentTarget.value.trim() })}
            />
            <NumberField
              label="Maximum rows"
              description="The most that the other system accepts at once. Leave empty for no limit."
              value={draft.mostRows}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              onChange={(value) => set({ mostRows: typeof value === 'number' ? value : null })}
            />
          </div>
          <Checkbox
            label="The first row holds the headings"
            checked={draft.hasHeadings}
            onChange={(event) => set({ hasHeadings: event.currentTarget.checked })}
          />
        </CardBody>
      </Card>
      <Card style={{ maxWidth: 860, marginTop: 16 }} aria-label="Columns">
        <CardHead>Columns</CardHead>
        <CardBody>
          <Columns columns={draft.columns} set={(columns) => set({ columns })} error={error('columns')} />
        </CardBody>
      </Card>
    </>
  )
}

export function LayoutPage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const valid = !id || /^\d{1,9}$/.test(id)
  const layout = trpc.filesOut.layout.useQuery({ id: Number(id) }, { enabled: Boolean(id) && valid, staleTime: 0 })
  const form = useStableForm<Saved>(`${list}/layouts`, id)
  const start = (presets.find(({ name }) => name === search.get('from')) ?? assertDefined(presets[0])).layout
  if (!id) return <Editor key={form.key} loaded={null} start={start} onMade={form.moveToUrlOf} />
  const loaded = layout.data ?? form.created
  if (!valid || (layout.isError && !loaded && toPublicError(layout.error).kind === 'notFound'))
    return <NotFound back={{ to: list, label: 'Back to the files' }} />
  if (loaded) return <Editor key={form.key} loaded={loaded} start={start} onMade={form.moveToUrlOf} />
  if (layout.isError) return <LoadFailed query={layout} />
  return <Skeleton height={160} />
}
