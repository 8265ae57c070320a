import { Alert } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { ItemHistory } from '../../budget/history/ItemHistory.tsx'
import { isMongoId } from '../../budget/isMongoId.ts'
import { RecordLoader } from '../../budget/RecordLoader.tsx'
import { useBudgetUndo } from '../../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { TwoColumns } from '../../ui/layout/TwoColumns.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { EntryAmounts } from './EntryAmounts.tsx'
import { EntryDetailFields, EntryPurposeFields } from './EntryFields.tsx'
import { calculateDraftYears, createEmptyEntry, entryLabels, type LoadedEntry, toEntryDraft, validateEntry } from './entryDraft.ts'
import type { EntryChoices } from './sheetModel.ts'

const path = '/non-staffing/budget-entries'
const EntryYears = lazyComponent(() => import('./EntryYears.tsx'), 'EntryYears')
const ItemCommentsCard = lazyComponent(() => import('../../budget/comments/ItemCommentsCard.tsx'), 'ItemCommentsCard')

function Editor({
  loaded,
  onMade,
  choices,
}: {
  loaded: LoadedEntry | null
  onMade: (created: LoadedEntry) => Promise<void>
  choices: EntryChoices
}) {
  const term = useTerm()('BudgetEntry')
  const isLocked = useIsBudgetLocked()
  const years = useBudgetYearNames()
  const { mutateAsync: save } = trpc.entries.save.useMutation()
  const { mutateAsync: remove } = trpc.entries.delete.useMutation()
  const createUndo = useBudgetUndo()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: (entry) => toEntryDraft(entry, years),
    blank: createEmptyEntry(),
    labels: entryLabels,
    asTyped: ['identifier', 'description', 'amount', 'notes', 'reminderText'],
    shapes: { periods: 'places', years: 'places', fundCodes: { rowsBy: 'fundCodeId' } },
    check: (draft) => validateEntry(draft, years),
    save: (input) => save(input),
    reload: ({ id }) => api.entries.get.query({ id }),
    createUndo:
      ({ id, version }, before) =>
      async () => {
        await undo({ versions: [version] })
        return before && api.entries.get.query({ id })
      },
    onSaved: (saved, isNew) => isNew && onMade(saved),
    isReadOnly: isLocked || loaded?.source != null,
    remove: isLocked
      ? undefined
      : {
          hint: 'You can undo this in the history.',
          run: ({ id }) => remove({ ids: [id] }),
          undo: (_gone, versions) => createUndo(versions),
        },
    list: path,
  })
  const { values: draft, base, saved: entry, set, error } = editor
  const source = entry?.source ?? null
  const disabled = editor.isReadOnly
  const worked = calculateDraftYears(draft, choices, years.length)
  const code = choices.budgetCodes.find((one) => one.id === draft.budgetCodeId)
  return (
    <>
      <EditorHeader
        editor={editor}
        title={draft.id ? base.description : `Add ${toMidSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Non-staffing`}
        pills={
          <>
            {code && <Pill>{code.isIncome ? 'Income' : 'Expenditure'}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
            {entry?.isOutOfDate && <Pill tone="warn">Out of date</Pill>}
          </>
        }
        facts={<Link to={path}>All {toMidSentence(term.plural)}</Link>}
      />
      {source && (
        <Alert color="teal" mb="md" role="status">
          {source.kind === 'calculation' ? 'This entry comes from a calculation.' : 'This entry comes from the funding predictor.'}{' '}
          <Link
            to={source.kind === 'calculation' ? `/non-staffing/ie-calculator/${source.id}` : `/non-staffing/funding-predictor/${source.id}`}
          >
            Change it there
          </Link>
          {entry?.isOutOfDate && ': its current result differs from the figure in the budget.'}
        </Alert>
      )}
      <TwoColumns>
        <SectionStack>
          <EntryPurposeFields draft={draft} set={set} choices={choices} error={error} disabled={disabled} />
          <EntryAmounts draft={draft} set={set} choices={choices} worked={worked} error={error} disabled={disabled} />
          <EntryDetailFields draft={draft} set={set} choices={choices} error={error} disabled={disabled} />
          {draft.id && <ItemHistory id={draft.id} />}
          {draft.id && (
            <PageSection>
              <ItemCommentsCard kind="entry" reference={draft.id} />
            </PageSection>
          )}
        </SectionStack>
        <PageSection height={260}>
          <EntryYears draft={draft} set={set} choices={choices} worked={worked} error={error} disabled={disabled} />
        </PageSection>
      </TwoColumns>
    </>
  )
}

export function EntryPage() {
  const { id } = useParams()
  const form = useStableForm<LoadedEntry>(path, id)
  const choices = trpc.entries.choices.useQuery(undefined, { staleTime: 30_000 })
  const entry = trpc.entries.get.useQuery(isMongoId(id) ? { id } : skipToken, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  if (choices.data)
    return (
      <RecordLoader form={form} query={entry} missing={<NotFound back={{ to: path, label: 'Back to the list' }} />}>
        {(loaded) => <Editor key={form.key} loaded={loaded} onMade={form.moveToUrlOf} choices={choices.data} />}
      </RecordLoader>
    )
  return choices.isError ? <LoadFailed query={choices} /> : <Spinner />
}
