import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, skipToken } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { quickCalculatorInput } from '../../../domain/budget/quickCalculation.ts'
import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { isMongoId } from '../../budget/isMongoId.ts'
import { RecordLoader } from '../../budget/RecordLoader.tsx'
import { useChangeObstacle } from '../../budget/useChangeObstacle.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { validateWith } from '../../resources/editor/validateWith.ts'
import { api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import splitStyles from '../../ui/layout/Split.module.css'
import { TwoColumns } from '../../ui/layout/TwoColumns.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { emptyQuickDraft, type QuickDraft, QuickFields } from './QuickFields.tsx'
import { quickResultLines } from './quickRow.ts'

type LoadedQuickCalculation = Awaited<ReturnType<typeof api.quickCalculator.get.query>>
const list = '/staffing/quick-calculator'

/** The result of the values in the form, updated while the user types. */
function Preview({ draft }: { draft: QuickDraft }) {
  const [settled] = useDebouncedValue(draft, 200)
  const checked = quickCalculatorInput.safeParse({ ...settled, name: 'preview' })
  const query = trpc.quickCalculator.preview.useQuery(checked.success ? checked.data : skipToken, { placeholderData: keepPreviousData })
  const preview = checked.success ? query.data : null
  const result = preview?.result
  return (
    <Card className={splitStyles.sticky} aria-label="What it costs">
      <CardHead>What it costs {preview && <CardNote>at the rates on {displayDate(preview.ratesOf)}</CardNote>}</CardHead>
      {result ? (
        <DataTable
          isHeadless
          columns={[
            { id: 'label', label: 'Figure' },
            { id: 'value', label: 'Value', isFigure: true, cell: ({ key }) => displayFigure(toPennies(result[key])) },
          ]}
          rows={quickResultLines}
          look={({ isTotal }) => (isTotal ? 'total' : undefined)}
        />
      ) : (
        <EmptyState role="status">
          {preview?.problems[0]?.text ?? 'Choose a contract type, a point or a spot salary, and the hours.'}
        </EmptyState>
      )}
    </Card>
  )
}

const labels: Partial<Record<keyof QuickDraft, string>> = {
  name: 'Name',
  type: 'Pay scale type',
  contractTypeId: 'Contract type',
  scalePointId: 'Scale point',
  spotOrAdjustment: 'Spot salary or adjustment',
  allowanceIds: 'Allowances',
  eRpension: 'Employer pension',
  fte: 'FTE',
  hoursPerWeek: 'Hours per week',
  paidWeeksPerYear: 'Weeks per year',
}

function toDraft({
  result: _result,
  problems: _problems,
  ratesOf: _rates,
  created: _created,
  budgetId: _budget,
  ...draft
}: LoadedQuickCalculation): QuickDraft {
  return draft
}

/** The form on the left, its result on the right. */
function QuickEditor({
  loaded,
  onMade,
}: {
  loaded: LoadedQuickCalculation | null
  onMade: (created: LoadedQuickCalculation) => Promise<void>
}) {
  const term = useTerm()('QuickCalculator')
  const { mutateAsync: save } = trpc.quickCalculator.save.useMutation()
  const { mutateAsync: remove } = trpc.quickCalculator.delete.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: toDraft,
    blank: emptyQuickDraft,
    labels,
    check: (draft) => validateWith(quickCalculatorInput, draft),
    save: (input) => save(input),
    reload: ({ id }) => api.quickCalculator.get.query({ id }),
    createUndo:
      ({ id, version }, before) =>
      async () => {
        if (before) return save(quickCalculatorInput.parse({ ...toDraft(before), version }))
        await remove({ id })
        return null
      },
    onSaved: (saved, isNew) => isNew && onMade(saved),
    obstacle: useChangeObstacle(),
    remove: { run: ({ id }) => remove({ id }), lost: 'Its details are deleted. Contracts are not changed.' },
    list,
  })
  const { values: draft, base, set, problems } = editor
  return (
    <>
      <EditorHeader
        editor={editor}
        title={draft.id ? base.name : `Add ${toMidSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Staffing`}
        facts="A post without a person or dates: it is not in the budget until you turn it into a contract"
      >
        {draft.id && (
          <Button variant="default" component={Link} to={`/staffing/staff-contracts/add?quick=${draft.id}`}>
            Turn into a contract
          </Button>
        )}
      </EditorHeader>
      <TwoColumns>
        <QuickFields draft={draft} set={set} problems={problems} />
        <Preview draft={draft} />
      </TwoColumns>
    </>
  )
}

export function QuickCalculationEditPage() {
  const { id } = useParams()
  const form = useStableForm<LoadedQuickCalculation>(list, id)
  const query = trpc.quickCalculator.get.useQuery(isMongoId(id) ? { id } : skipToken, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  return (
    <RecordLoader form={form} query={query} missing={<NotFound back={{ to: list, label: 'Back to the list' }} />}>
      {(loaded) => <QuickEditor key={form.key} loaded={loaded} onMade={form.moveToUrlOf} />}
    </RecordLoader>
  )
}
