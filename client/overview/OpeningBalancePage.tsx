import { Alert, TextInput } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { openingBalanceInput } from '../../domain/budget/items/openingBalance.ts'
import { lookups } from '../../domain/lookups/lookups.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { ItemHistory } from '../budget/history/ItemHistory.tsx'
import { isMongoId } from '../budget/isMongoId.ts'
import { RecordLoader } from '../budget/RecordLoader.tsx'
import { useBudgetUndo } from '../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../budget/useChangeObstacle.ts'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { useStableForm } from '../resources/editor/useStableForm.ts'
import { validateWith } from '../resources/editor/validateWith.ts'
import { api, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import fieldsStyles from '../ui/fields/fields.module.css'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { Card, CardBody } from '../ui/layout/Card.tsx'

const path = '/overview/opening-balances'

type LoadedBalance = Awaited<ReturnType<typeof api.openingBalances.get.query>>
interface Draft {
  id: string | null
  version: number | null
  description: string
  type: number
  value: number | null
}

const blank: Draft = { id: null, version: null, description: '', type: 1, value: null }
const labels = { description: 'Description', type: 'Type', value: 'Value' }
function toDraft({ id, version, description, type, value }: LoadedBalance): Draft {
  return { id, version, description, type, value }
}

function Editor({ loaded, onMade }: { loaded: LoadedBalance | null; onMade: (created: LoadedBalance) => Promise<void> }) {
  const term = useTerm()('OpeningBalance')
  const isLocked = useIsBudgetLocked()
  const { mutateAsync: save } = trpc.openingBalances.save.useMutation()
  const { mutateAsync: remove } = trpc.openingBalances.delete.useMutation()
  const createUndo = useBudgetUndo()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: toDraft,
    blank,
    labels,
    asTyped: ['description', 'value'],
    check: (draft) => validateWith(openingBalanceInput, draft),
    save: (input) => save(input),
    reload: ({ id }) => api.openingBalances.get.query({ id }),
    createUndo: (saved, before) => async () => {
      await undo({ versions: [saved.version] })
      return before && api.openingBalances.get.query({ id: saved.id })
    },
    onSaved: (saved, isNew) => isNew && onMade(saved),
    isReadOnly: isLocked,
    remove: isLocked
      ? undefined
      : {
          hint: 'You can undo this in the history.',
          run: ({ id }) => remove({ id }),
          undo: (_gone, versions) => createUndo(versions),
        },
    list: path,
  })
  const { values: draft, base, set, error } = editor
  return (
    <>
      <EditorHeader
        editor={editor}
        title={draft.id ? base.description : `Add ${toMidSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Overview`}
        facts={<Link to={path}>{term.plural}</Link>}
      />
      {isLocked && (
        <Alert color="orange" mb="md" role="status">
          This budget is locked and can no longer be changed.
        </Alert>
      )}
      <div style={{ display: 'grid', gap: 14, maxWidth: 760 }}>
        <Card style={{ overflow: 'visible' }}>
          <CardBody className={fieldsStyles.fields}>
            <div className={fieldsStyles.wide} data-field="description">
              <TextInput
                label="Description"
                required
                maxLength={200}
                value={draft.description}
                onChange={(event) => set({ description: event.currentTarget.value })}
                error={error('description')}
                disabled={isLocked}
              />
            </div>
            <div data-field="type">
              <Choice
                label="Type"
                required
                data={lookups.openingBalanceTypes.map((type) => ({ value: String(type.id), label: type.name }))}
                value={String(draft.type)}
                onChange={(value) => set({ type: Number(value) })}
                error={error('type')}
                disabled={isLocked}
              />
            </div>
            <div data-field="value">
              <NumberField
                label="Value"
                description="Enter a deficit with a minus sign."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                required
                prefix="£"
                thousandSeparator=","
                decimalScale={2}
                hideControls
                value={draft.value}
                onChange={(value) => set({ value })}
                error={error('value')}
                disabled={isLocked}
                styles={{ input: { textAlign: 'right' } }}
              />
            </div>
          </CardBody>
        </Card>
        {draft.id && <ItemHistory id={draft.id} />}
      </div>
    </>
  )
}

export function OpeningBalancePage() {
  const { id } = useParams()
  const form = useStableForm<LoadedBalance>(path, id)
  const query = trpc.openingBalances.get.useQuery(isMongoId(id) ? { id } : skipToken, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  return (
    <RecordLoader form={form} query={query} missing={<NotFound back={{ to: path, label: 'Back to the list' }} />}>
      {(loaded) => <Editor key={form.key} loaded={loaded} onMade={form.moveToUrlOf} />}
    </RecordLoader>
  )
}
