import { TextInput } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { ieCalculationInput } from '../../../domain/budget/items/ieCalculation.ts'
import { type CalculatorRow, calculateRows } from '../../../domain/calculation/nonStaffing/calculator.ts'
import type { Percent } from '../../../domain/values/units.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { ItemHistory } from '../../budget/history/ItemHistory.tsx'
import { isMongoId } from '../../budget/isMongoId.ts'
import { RecordLoader } from '../../budget/RecordLoader.tsx'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { useBudgetUndo } from '../../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { useStableForm } from '../../resources/editor/useStableForm.ts'
import { validateWith } from '../../resources/editor/validateWith.ts'
import { FundSharesInput } from '../../resources/inputs/FundShares.tsx'
import { api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { notifySuccess } from '../../shell/notify.tsx'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { useSelection } from '../../shell/selection.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { BudgetEntryLink, BudgetEntryPills, SaveToBudgetButton } from '../budgetEntryState.tsx'
import { listSelectOptions } from '../toSelectOptions.ts'
import { CalculatorRows } from './CalculatorRows.tsx'
import { calculationTemplates, initialCalculatorRows } from './calculationTemplates.ts'

type LoadedCalculation = Awaited<ReturnType<typeof api.calculations.get.query>>
const path = '/non-staffing/ie-calculator'

interface Draft {
  id: string | null
  version: number | null
  name: string
  description: string
  budgetCodeId: number | null
  costCentreId: number | null
  fundCodes: { fundCodeId: number | null; percentage: Percent | null }[]
  rows: CalculatorRow[]
}

function toDraft({ id, version, name, description, budgetCodeId, costCentreId, fundCodes, rows }: LoadedCalculation): Draft {
  return { id, version, name, description: description ?? '', budgetCodeId, costCentreId, fundCodes, rows }
}

const labels = {
  name: 'Name',
  description: 'Description',
  budgetCodeId: 'Budget code',
  costCentreId: 'Cost centre',
  fundCodes: 'Fund codes',
  rows: 'Rows',
}

function Editor({
  blank,
  loaded,
  onMade,
}: {
  blank: Draft
  loaded: LoadedCalculation | null
  onMade: (created: LoadedCalculation) => Promise<void>
}) {
  const term = useTerm()('IncomeExpenditureCalculator')
  const { locationId } = useSelection()
  const isLocked = useIsBudgetLocked()
  const years = useBudgetYearNames()
  const { startMonth } = useSelectedBudget()
  const choices = trpc.entries.choices.useQuery(undefined, { staleTime: 30_000 })
  const { mutateAsync: save } = trpc.calculations.save.useMutation()
  const { mutateAsync: process } = trpc.calculations.process.useMutation()
  const { mutateAsync: remove } = trpc.calculations.delete.useMutation()
  const createUndo = useBudgetUndo()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: toDraft,
    blank,
    labels,
    shapes: { fundCodes: { rowsBy: 'fundCodeId' } },
    check: (draft) => validateWith(ieCalculationInput, { ...draft, budgetCodeId: draft.budgetCodeId ?? undefined }),
    save: (input) => save(input),
    reload: ({ id }) => api.calculations.get.query({ id }),
    createUndo:
      ({ id, version }, before) =>
      async () => {
        await undo({ versions: [version] })
        return before && api.calculations.get.query({ id })
      },
    onSaved: (saved, isNew) => isNew && onMade(saved),
    isReadOnly: isLocked,
    remove: isLocked
      ? undefined
      : {
          hint: `${loaded?.entryId ? 'Its budget entry is deleted too. ' : ''}You can undo this in the history.`,
          run: ({ id }) => remove({ id }),
          undo: (_gone, versions) => createUndo(versions),
        },
    list: path,
  })
  const { values: draft, base, saved: state, set, error } = editor
  const result = calculateRows(draft.rows, years.length)
  const isComplete = !result.total.includes(null)
  const saveAndProcess = async (): Promise<void> => {
    const saved = await editor.save({ showsNotice: false })
    if (saved && (await editor.change(() => process({ id: saved.id })))) notifySuccess(notices.saved)
  }
  return (
    <>
      <EditorHeader
        editor={editor}
        title={draft.id ? base.name : `Add ${toMidSentence(term.singular)}`}
        documentTitle={`${draft.id ? 'Edit' : 'Add'} - ${term.singular} - Non-staffing`}
        pills={<BudgetEntryPills state={state} isLocked={isLocked} />}
        facts={
          <>
            <Link to={path}>{term.plural}</Link>
            <BudgetEntryLink state={state} />
          </>
        }
        after={!isLocked && <SaveToBudgetButton isWhole={isComplete} isBusy={editor.busy} onPress={() => void saveAndProcess()} />}
      />
      <SectionStack>
        <Card style={{ overflow: 'visible' }}>
          <CardHead>Calculation</CardHead>
          <CardBody className={fieldsStyles.fields}>
            <div className={fieldsStyles.double} data-field="name">
              <TextInput
                label="Name"
                required
                maxLength={100}
                value={draft.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={error('name')}
                disabled={isLocked}
              />
            </div>
            <div className={fieldsStyles.double} data-field="description">
              <TextInput
                label="Description"
                maxLength={200}
                value={draft.description}
                onChange={(event) => set({ description: event.currentTarget.value })}
                error={error('description')}
                disabled={isLocked}
              />
            </div>
            <div className={fieldsStyles.double} data-field="budgetCodeId">
              <Choice
                label="Budget code"
                required
                data={[true, false].map((isIncome) => ({
                  group: isIncome ? 'Income' : 'Expenditure',
                  items: listSelectOptions(
                    (choices.data?.budgetCodes ?? []).filter((code) => code.isIncome === isIncome),
                    draft.budgetCodeId,
                  ),
                }))}
                value={draft.budgetCodeId === null ? null : String(draft.budgetCodeId)}
                onChange={(value) => set({ budgetCodeId: value === null ? null : Number(value) })}
                error={error('budgetCodeId')}
                disabled={isLocked}
              />
            </div>
            <div data-field="costCentreId">
              <Choice
                label="Cost centre"
                clearable
                data={listSelectOptions(choices.data?.costCentres ?? [], draft.costCentreId)}
                value={draft.costCentreId === null ? null : String(draft.costCentreId)}
                onChange={(value) => set({ costCentreId: value === null ? null : Number(value) })}
                error={error('costCentreId')}
                disabled={isLocked}
              />
            </div>
            <div className={fieldsStyles.wide} data-field="fundCodes">
              <FundSharesInput
                value={draft.fundCodes}
                onChange={(fundCodes) => set({ fundCodes })}
                locationId={locationId}
                disabled={isLocked}
                error={error('fundCodes')}
              />
            </div>
          </CardBody>
        </Card>
        <Card aria-label="Rows" style={{ overflow: 'visible' }} data-field="rows">
          <CardHead>
            Rows <CardNote>each amount is multiplied by the criteria directly above it</CardNote>
          </CardHead>
          <CalculatorRows
            rows={draft.rows}
            worked={result}
            years={years}
            startMonth={startMonth}
            onChange={(rows) => set({ rows })}
            disabled={isLocked}
            error={error}
          />
          {error('rows') && (
            <p className={textStyles.up} role="alert" style={{ margin: '8px 14px' }}>
              {error('rows')}
            </p>
          )}
        </Card>
        {draft.id && <ItemHistory id={draft.id} />}
      </SectionStack>
    </>
  )
}

/** Creates the draft of a new calculation, from a template or with empty rows. */
function createBlankDraft(template: (typeof calculationTemplates)[number] | undefined): Draft {
  return {
    id: null,
    version: null,
    name: template?.name ?? '',
    description: template?.description ?? '',
    budgetCodeId: null,
    costCentreId: null,
    fundCodes: [],
    rows: template?.rows ?? initialCalculatorRows,
  }
}

export function CalculationPage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const template = calculationTemplates.find((one) => one.key === search.get('template'))
  const form = useStableForm<LoadedCalculation>(path, id, template?.key)
  const query = trpc.calculations.get.useQuery(isMongoId(id) ? { id } : skipToken, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  return (
    <RecordLoader form={form} query={query} missing={<NotFound back={{ to: path, label: 'Back to the list' }} />}>
      {(loaded) => <Editor key={form.key} blank={createBlankDraft(template)} loaded={loaded} onMade={form.moveToUrlOf} />}
    </RecordLoader>
  )
}
