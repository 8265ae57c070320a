import { Button, Modal, Select } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { displayDate } from '../../../domain/format.ts'
import { lookupName } from '../../../domain/lookups.ts'
import { notices } from '../../../domain/notices.ts'
import { api, problemOf, queries } from '../../api/api.ts'
import { failed, said } from '../../api/notify.tsx'
import { useNames } from '../../resources/resourceApi.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { PageHead } from '../../shell/PageHead.tsx'
import { Spinner } from '../../shell/Shell.tsx'
import { Amount } from '../../staffing/Amount.tsx'
import { useIsLocked } from '../../staffing/useObstacle.ts'
import { useMay, useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { optionsOf } from '../entries/BulkEditEntries.tsx'
import { useYears } from '../useYears.ts'
import { penniesOrNull } from './penniesOrNull.ts'

const path = '/non-staffing/funding-predictor'

/** Chooses a version of the rates and an income code, and makes a prediction of them (behaviour B-175). */
function Create({ onClose }: { onClose: () => void }) {
  const { budgetId } = useSelection()
  const term = useTerm()('FundingPredictor')
  const navigate = useNavigate()
  const versions = useQuery({ queryKey: ['funding', 'versions', budgetId], queryFn: () => api.funding.versions.query() })
  const choices = useQuery({ queryKey: ['entries', 'choices', budgetId], queryFn: () => api.entries.choices.query(), staleTime: 30_000 })
  const [version, setVersion] = useState<string | null>(null)
  const [code, setCode] = useState<string | null>(null)
  const [problems, setProblems] = useState<{ field: string; message: string }[]>([])
  const [busy, setBusy] = useState(false)
  const chosen = version ?? (versions.data?.[0] ? String(versions.data[0].id) : null)
  const error = (field: string): string | undefined => problems.find((one) => one.field === field)?.message
  const create = async (): Promise<void> => {
    if (!chosen) return setProblems([{ field: 'id', message: 'Version is required.' }])
    if (!code) return setProblems([{ field: 'budgetCodeId', message: 'Budget code is required.' }])
    setBusy(true)
    try {
      const made = await api.funding.create.mutate({ id: Number(chosen), budgetCodeId: Number(code) })
      said(notices.created(term.singular))
      await queries.invalidateQueries({ queryKey: ['funding'] })
      void navigate(`${path}/${made.id}`)
    } catch (failure) {
      const problem = problemOf(failure)
      setProblems(problem.fields)
      if (!problem.fields.length) failed(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title="New funding prediction">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
        style={{ display: 'grid', gap: 12 }}
      >
        <Select
          label="Version of the rates"
          required
          data={(versions.data ?? []).map((one) => ({
            value: String(one.id),
            label: `${one.name}, ${lookupName('referenceVersionTypes', one.type)?.toLowerCase()}`,
          }))}
          value={chosen}
          onChange={setVersion}
          error={error('id')}
          description={versions.data?.length === 0 ? 'No table has rates of the local authority of this location.' : undefined}
          data-autofocus
        />
        <Select
          label="Income code the result goes to"
          required
          searchable
          data={optionsOf((choices.data?.budgetCodes ?? []).filter((one) => one.isIncome))}
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
    </Modal>
  )
}

/** The funding predictions of the budget. */
export function PredictionsPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('FundingPredictor')
  const isLocked = useIsLocked()
  const mayEdit = useMay()(['BudgetingNonStaffingReadUpdate']) && !isLocked
  const years = useYears()
  const [creating, setCreating] = useState(false)
  const list = useQuery({ queryKey: ['funding', 'list', budgetId], queryFn: () => api.funding.list.query() })
  const codes = useNames('budgetCode', list.data?.map((row) => row.budgetCodeId) ?? [])
  useHotkeys([['N', () => mayEdit && setCreating(true)]])
  if (list.isError) return <LoadFailed query={list} />
  if (!list.data) return <Spinner />
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        pills={isLocked && <span className="pill warn">Locked</span>}
        facts="Pupils of each October by the rates of the local authority; the result goes to an income code and stays linked"
      >
        {mayEdit && (
          <Button onClick={() => setCreating(true)} rightSection={<span className="hint">N</span>}>
            Add prediction
          </Button>
        )}
      </PageHead>
      <section className="card scroll" aria-label={term.plural}>
        {list.data.length === 0 ? (
          <div className="empty">
            <h2>No funding predictions yet</h2>
            <p>
              Type the <Link to="/non-staffing/pupil-numbers">pupil numbers</Link> first, then choose a version of the rates.
            </p>
            {mayEdit && <Button onClick={() => setCreating(true)}>Add prediction</Button>}
          </div>
        ) : (
          <table className="figures">
            <thead>
              <tr>
                <th scope="col">Prediction</th>
                <th scope="col" className="text">
                  Budget code
                </th>
                {years.map((year) => (
                  <th scope="col" key={year}>
                    {year}
                  </th>
                ))}
                <th scope="col" className="text">
                  Budget
                </th>
              </tr>
            </thead>
            <tbody>
              {list.data.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{mayEdit ? <Link to={`${path}/${row.id}`}>{row.name}</Link> : row.name}</th>
                  <td className="text">{codes.get(row.budgetCodeId)?.name}</td>
                  {row.totals.map((total, year) => (
                    <td key={years[year]}>
                      <Amount pennies={penniesOrNull(total)} />
                    </td>
                  ))}
                  <td className="text">
                    {!row.entryId ? (
                      <span className="pill">Not in the budget</span>
                    ) : row.isOutOfDate ? (
                      <span className="pill warn">Out of date</span>
                    ) : (
                      <span className="pill good">In the budget</span>
                    )}{' '}
                    <span className="dim">{displayDate(row.created)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      {creating && <Create onClose={() => setCreating(false)} />}
    </>
  )
}
