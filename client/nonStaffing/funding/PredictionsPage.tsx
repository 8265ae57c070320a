import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { useRecordNames } from '../../resources/resourceApi.ts'
import { answerCache, toPublicError, trpc } from '../../shell/api.ts'
import { usePermissionCheck, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { Spinner } from '../../ui/Spinner.tsx'
import { createFigureColumns } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { listSelectOptions } from '../toSelectOptions.ts'
import { toPenniesOrNull } from './toPenniesOrNull.ts'

const path = '/non-staffing/funding-predictor'

/** Creates a prediction from a version of the funding rates and an income code (behaviour B-175). */
function CreatePredictionDialog({ onClose }: { onClose: () => void }) {
  const term = useTerm()('FundingPredictor')
  const navigate = useNavigate()
  const versions = trpc.funding.versions.useQuery()
  const choices = trpc.entries.choices.useQuery(undefined, { staleTime: 30_000 })
  const [version, setVersion] = useState<string | null>(null)
  const [code, setCode] = useState<string | null>(null)
  const [problems, setProblems] = useState<{ field: string; message: string }[]>([])
  const [busy, setBusy] = useState(false)
  const chosen = version ?? (versions.data?.[0] ? String(versions.data[0].id) : null)
  const error = (field: string): string | undefined => problems.find((one) => one.field === field)?.message
  const { mutateAsync: make } = trpc.funding.create.useMutation()
  const create = async (): Promise<void> => {
    if (!chosen) return setProblems([{ field: 'id', message: 'Version is required.' }])
    if (!code) return setProblems([{ field: 'budgetCodeId', message: 'Budget code is required.' }])
    setBusy(true)
    try {
      const created = await make({ id: Number(chosen), budgetCodeId: Number(code) })
      notifySuccess(notices.created(term.singular))
      void navigate(`${path}/${created.id}`)
    } catch (failure) {
      const problem = toPublicError(failure)
      setProblems(problem.fields)
      if (!problem.fields.length) notifyFailure(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog onClose={onClose} title="New funding prediction">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
        style={{ display: 'grid', gap: 12 }}
      >
        <Choice
          label="Version of the rates"
          required
          data={(versions.data ?? []).map((one) => ({
            value: String(one.id),
            label: `${one.name}, ${getLookupName('referenceVersionTypes', one.type)?.toLowerCase()}`,
          }))}
          value={chosen}
          onChange={setVersion}
          error={error('id')}
          description={versions.data?.length === 0 ? 'No table has rates for this location’s local authority.' : undefined}
          data-autofocus
        />
        <Choice
          label="Income code for the result"
          required
          data={listSelectOptions((choices.data?.budgetCodes ?? []).filter((one) => one.isIncome))}
          value={code}
          onChange={setCode}
          error={error('budgetCodeId')}
        />
        <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8 }}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function prepare(): void {
  void answerCache.funding.list.prefetch()
}

/** The funding predictions of the budget. */
export function PredictionsPage() {
  const term = useTerm()('FundingPredictor')
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingNonStaffingReadUpdate']) && !isLocked
  const years = useBudgetYearNames()
  const [creating, setCreating] = useState(false)
  const list = trpc.funding.list.useQuery()
  const codes = useRecordNames('budgetCode', list.data?.map((row) => row.budgetCodeId) ?? [])
  useHotkeys([['N', () => mayEdit && setCreating(true)]])
  if (list.isError) return <LoadFailed query={list} />
  if (!list.data) return <Spinner />
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        pills={isLocked && <Pill tone="warn">Locked</Pill>}
        facts="Pupils each October multiplied by the local authority’s rates; the result is a linked entry on an income code"
      >
        {mayEdit && (
          <Button onClick={() => setCreating(true)} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add prediction
          </Button>
        )}
      </PageHead>
      <Card className={scrollStyles.scroll} aria-label={term.plural}>
        {list.data.length === 0 ? (
          <EmptyState>
            <h2>No funding predictions yet</h2>
            <p>
              Enter the <Link to="/non-staffing/pupil-numbers">pupil numbers</Link> first, then choose a version of the rates.
            </p>
            {mayEdit && <Button onClick={() => setCreating(true)}>Add prediction</Button>}
          </EmptyState>
        ) : (
          <DataTable
            columns={[
              {
                id: 'name',
                label: 'Prediction',
                cell: (row) => (mayEdit ? <Link to={`${path}/${row.id}`}>{row.name}</Link> : row.name),
              },
              { id: 'code', label: 'Budget code', cell: ({ budgetCodeId }) => codes.get(budgetCodeId)?.name },
              ...createFigureColumns<(typeof list.data)[number]>(years, ({ totals }, year) => (
                <Amount pennies={toPenniesOrNull(totals[year] ?? null)} />
              )),
              {
                id: 'budget',
                label: 'Budget',
                cell: (row) => (
                  <>
                    {!row.entryId ? (
                      <Pill>Not in the budget</Pill>
                    ) : row.isOutOfDate ? (
                      <Pill tone="warn">Out of date</Pill>
                    ) : (
                      <Pill tone="good">In the budget</Pill>
                    )}{' '}
                    <span className={textStyles.dim}>{displayDate(row.created)}</span>
                  </>
                ),
              },
            ]}
            rows={list.data}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
      {creating && <CreatePredictionDialog onClose={() => setCreating(false)} />}
    </>
  )
}
PredictionsPage.prepare = prepare
