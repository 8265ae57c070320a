import { TextInput } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { fundingPredictionInput } from '../../../domain/budget/items/fundingPrediction.ts'
import { calculateFunding, type FundingRow } from '../../../domain/calculation/nonStaffing/funding.ts'
import { rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { ItemHistory } from '../../budget/history/ItemHistory.tsx'
import { isMongoId } from '../../budget/isMongoId.ts'
import { useBudgetUndo } from '../../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { validateWith } from '../../resources/editor/validateWith.ts'
import { api, toPublicError, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifySuccess } from '../../shell/notify.tsx'
import { NotFound } from '../../shell/screens/ScreenGuard.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { BudgetEntryLink, BudgetEntryPills, SaveToBudgetButton } from '../budgetEntryState.tsx'
import { listSelectOptions } from '../toSelectOptions.ts'
import { FundingRows } from './FundingRows.tsx'

type LoadedPrediction = Awaited<ReturnType<typeof api.funding.get.query>>
const path = '/non-staffing/funding-predictor'

interface Draft {
  id: string
  version: number
  name: string
  versionId: number
  budgetCodeId: number
  rows: FundingRow[]
}

const draftOf = ({ id, version, name, versionId, budgetCodeId, rows }: LoadedPrediction): Draft => ({
  id,
  version,
  name,
  versionId,
  budgetCodeId,
  rows,
})

const labels = { name: 'Name', versionId: 'Version of the rates', budgetCodeId: 'Income code', rows: 'Streams' }

function Editor({ shown }: { shown: LoadedPrediction }) {
  const term = useTerm()('FundingPredictor')
  const isLocked = useIsBudgetLocked()
  const years = useBudgetYearNames()
  const { mutateAsync: save } = trpc.funding.update.useMutation()
  const { mutateAsync: process } = trpc.funding.process.useMutation()
  const { mutateAsync: remove } = trpc.funding.delete.useMutation()
  const createUndo = useBudgetUndo()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  const editor = useEditor({
    term,
    loaded: shown,
    valuesOf: draftOf,
    blank: draftOf(shown),
    labels,
    check: (draft) => validateWith(fundingPredictionInput, draft),
    save: (input) => save(input),
    reload: ({ id }) => api.funding.get.query({ id }),
    createUndo:
      ({ id, version }) =>
      async () => {
        await undo({ versions: [version] })
        return api.funding.get.query({ id })
      },
    isReadOnly: isLocked,
    remove: isLocked
      ? undefined
      : {
          term: { singular: term.singular, plural: 'Funding predictions' },
          hint: `${shown.entryId ? 'Its budget entry is deleted too. ' : ''}You can undo this in the history.`,
          run: ({ id }) => remove({ id }),
          undo: (_gone, versions) => createUndo(versions),
        },
    list: path,
  })
  const { values: draft, set, error } = editor
  const state = editor.saved ?? shown
  const choices = trpc.entries.choices.useQuery(undefined, { staleTime: 30_000 })
  const versions = trpc.funding.versions.useQuery()
  const pupils = trpc.pupils.get.useQuery()
  const table = trpc.funding.table.useQuery(
    { versionId: draft.versionId },
    { initialData: draft.versionId === shown.versionId ? { rates: shown.tableRates, tableYear: shown.tableYear } : undefined },
  )
  const rates = table.data?.rates ?? {}
  const tableYear = table.data?.tableYear ?? 0
  const result = calculateFunding({
    rows: draft.rows,
    rates: new Map(Object.entries(rates).map(([category, rate]) => [Number(category), rate])),
    pupils: rollUpPupilCounts(
      (pupils.data?.rows ?? []).filter((row) => row.kind !== 'Total'),
      years.length,
    ),
    years: years.length,
    tableYear,
  })
  const inflationRow = draft.rows.findLast((row) => row.kind === 'Inflation')
  const later = years.flatMap((_name, year) => (year > tableYear ? [year] : []))
  const isFlat = later.length > 0 && later.every((year) => (inflationRow?.years[year] ?? null) === null)
  const version = versions.data?.find((one) => one.id === draft.versionId)
  const isComplete = !result.total.includes(null)
  const saveAndProcess = async (): Promise<void> => {
    const saved = await editor.save({ showsNotice: false })
    if (saved && (await editor.change(() => process({ id: saved.id })))) notifySuccess(notices.saved)
  }
  return (
    <>
      <EditorHeader
        editor={editor}
        title={state.name}
        documentTitle={`Edit - ${term.singular} - Non-staffing`}
        pills={<BudgetEntryPills state={state} isLocked={isLocked} />}
        facts={
          <>
            <Link to={path}>{term.plural}</Link> · <Link to="/non-staffing/pupil-numbers">Pupil numbers</Link>
            <BudgetEntryLink state={state} />
            {result.leftOut > 0 && (
              <>
                {' '}
                · {displayCount(result.leftOut, 'stream')} without numbers {result.leftOut === 1 ? 'is' : 'are'} left out
              </>
            )}
            {isFlat && (
              <> · No rate increases are entered, so {version ? `the rates of ${version.name}` : 'the same rates'} apply in every year</>
            )}
            {result.stoodIn && (
              <span className={textStyles.up}>
                {' '}
                · The October count before the first year is missing: the first year’s count is used instead
              </span>
            )}
          </>
        }
        after={!isLocked && <SaveToBudgetButton isWhole={isComplete} isBusy={editor.busy} onPress={() => void saveAndProcess()} />}
      />
      <SectionStack>
        <Card style={{ overflow: 'visible' }}>
          <CardBody className={fieldsStyles.fields}>
            <div className={fieldsStyles.double} data-field="name">
              <TextInput
                label="Name"
                maxLength={100}
                value={draft.name}
                onChange={(event) => set({ name: event.currentTarget.value })}
                error={error('name')}
                disabled={isLocked}
              />
            </div>
            <div className={fieldsStyles.double} data-field="versionId">
              <Choice
                label="Version of the rates"
                data={(versions.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
                value={String(draft.versionId)}
                onChange={(value) => value && set({ versionId: Number(value) })}
                error={error('versionId')}
                disabled={isLocked}
              />
            </div>
            <div className={fieldsStyles.double} data-field="budgetCodeId">
              <Choice
                label="Income code"
                data={listSelectOptions(
                  (choices.data?.budgetCodes ?? []).filter((code) => code.isIncome),
                  draft.budgetCodeId,
                )}
                value={String(draft.budgetCodeId)}
                onChange={(value) => value && set({ budgetCodeId: Number(value) })}
                error={error('budgetCodeId')}
                disabled={isLocked}
              />
            </div>
          </CardBody>
        </Card>
        <Card aria-label="Rows" style={{ overflow: 'visible' }} data-field="rows">
          <CardHead>
            Streams <CardNote>pupils multiplied by rate; grey numbers come from the pupil numbers, grey rates from the table</CardNote>
          </CardHead>
          <FundingRows
            rows={draft.rows}
            worked={result}
            years={years}
            tableYear={tableYear}
            rates={rates}
            onChange={(rows) => set({ rows })}
            disabled={isLocked}
          />
          {error('rows') && (
            <p className={textStyles.up} role="alert" style={{ margin: '8px 14px' }}>
              {error('rows')}
            </p>
          )}
        </Card>
        <ItemHistory id={draft.id} />
      </SectionStack>
    </>
  )
}

export function PredictionPage() {
  const { id } = useParams()
  const query = trpc.funding.get.useQuery(isMongoId(id) ? { id } : skipToken, { gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  if (!isMongoId(id) || (query.isError && toPublicError(query.error).kind === 'notFound'))
    return <NotFound back={{ to: path, label: 'Back to the list' }} />
  if (query.isLoadingError) return <LoadFailed query={query} />
  return query.data ? <Editor key={id} shown={query.data} /> : <Spinner />
}
