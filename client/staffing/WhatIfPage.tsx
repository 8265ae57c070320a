import { Button, Modal, MultiSelect, Skeleton, Slider, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isDate } from '../../domain/calendar.ts'
import { displayCount, displayDate, figure, penniesOf, wholePounds } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { DateField } from '../resources/DateField.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets, useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { useBudget } from './tables/useBudget.ts'

type Effect = Awaited<ReturnType<typeof api.whatIf.try.query>>[number]

/** More or less than without the award. */
function Change({ pennies }: { pennies: number }) {
  if (pennies === 0) return <span className="dim">no change</span>
  return (
    <span className={pennies > 0 ? 'up' : 'down'}>
      {pennies > 0 ? '▲' : '▼'} {figure(Math.abs(pennies))}
    </span>
  )
}

function sumOf(effects: readonly Effect[], year: string, which: 'before' | 'after'): number {
  return effects.reduce((sum, effect) => sum + penniesOf(effect.years.find((one) => one.year === year)?.[which] ?? 0), 0)
}

/** A pay award over chosen contract types, tried out on every school of the trust at once; kept as a scenario when it is liked. */
export function WhatIfPage() {
  const { budgetId } = useSelection()
  const budget = useBudget()
  const may = useMay()
  const types = useQuery({ queryKey: ['budgetSummary', 'types', budgetId], queryFn: () => api.budgetSummaries.contractTypes.query() })
  const [typeIds, setTypeIds] = useState<number[] | null>(null)
  const [rate, setRate] = useState(3)
  const [date, setDate] = useState<string | null>(`${budget.firstYear + 1}-09-01`)
  const [isKeeping, setKeeping] = useState(false)
  const award = { contractTypeIds: typeIds ?? types.data?.map((type) => type.id) ?? [], effectiveDate: date ?? '', rate }
  const [tried] = useDebouncedValue(award, 120)
  const query = useQuery({
    queryKey: ['whatIf', budgetId, tried],
    queryFn: () => api.whatIf.try.query(tried),
    enabled: tried.contractTypeIds.length > 0 && isDate(tried.effectiveDate),
    placeholderData: keepPreviousData,
  })
  const effects = query.data
  const years = [...new Set(effects?.flatMap((effect) => effect.years.map((year) => year.year)) ?? [])].sort()
  const notCalculated = effects?.reduce((sum, effect) => sum + effect.notCalculated, 0) ?? 0
  const mayKeep = may(['ConsoleBudgetManagementReadUpdate']) && may(['ConsoleStaffAssumptionsReadUpdate'])
  return (
    <>
      <PageHead
        title="Pay award what-if"
        documentTitle="Pay award what-if - Staffing"
        pills={<span className="pill">nothing is saved</span>}
        facts="Tried with what stands now; an award of the same date is replaced, any other stays"
      >
        {mayKeep && (
          <Button onClick={() => setKeeping(true)} disabled={!effects}>
            Keep as a scenario
          </Button>
        )}
      </PageHead>
      <section className="card" style={{ overflow: 'visible', marginBottom: 16 }}>
        <div className="card-head">Award</div>
        <div className="card-body fields award">
          <div className="double">
            <div className="mantine-InputWrapper-label" id="rate-label">
              Award: {rate.toFixed(2)} %
            </div>
            <Slider
              value={rate}
              onChange={setRate}
              min={-2}
              max={10}
              step={0.05}
              label={(value) => `${value.toFixed(2)} %`}
              marks={[0, 2, 4, 6, 8, 10].map((value) => ({ value, label: `${value} %` }))}
              thumbProps={{ 'aria-labelledby': 'rate-label' }}
              mb="lg"
            />
          </div>
          <DateField label="From" required value={date} onChange={setDate} error={date ? undefined : 'Date is required.'} />
          <MultiSelect
            className="double"
            label="Contract types"
            data={(types.data ?? []).map((type) => ({ value: String(type.id), label: type.name }))}
            value={award.contractTypeIds.map(String)}
            onChange={(values) => setTypeIds(values.map(Number))}
            error={award.contractTypeIds.length || types.isPending ? undefined : 'Choose at least one contract type.'}
          />
        </div>
      </section>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : !effects ? (
        <Skeleton height={300} />
      ) : (
        <>
          <div className="tiles" aria-live="polite">
            {years.map((year) => {
              const [before, after] = [sumOf(effects, year, 'before'), sumOf(effects, year, 'after')]
              return (
                <div className="tile" key={year} title={`${figure(before)} without, ${figure(after)} with the award`}>
                  <span className="dim">All staff {year}</span>
                  <strong>{wholePounds(after)}</strong>
                  <Change pennies={after - before} />
                </div>
              )
            })}
          </div>
          <div className="card scroll">
            <div className="card-head">
              School by school <span className="note">change against today's assumptions</span>
              {notCalculated > 0 && <span className="missing">without {displayCount(notCalculated, 'contract')} not calculated</span>}
            </div>
            <table className="figures">
              <thead>
                <tr>
                  <th scope="col" className="text">
                    {displayCount(effects.length, 'budget')}
                  </th>
                  {years.map((year) => (
                    <th key={year} scope="col">
                      {year}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {effects.map((effect) => (
                  <tr key={effect.budgetId}>
                    <th scope="row">{effect.location}</th>
                    {years.map((year) => {
                      const own = effect.years.find((one) => one.year === year)
                      return <td key={year}>{own && <Change pennies={penniesOf(own.after) - penniesOf(own.before)} />}</td>
                    })}
                  </tr>
                ))}
                <tr className="total">
                  <th scope="row">All</th>
                  {years.map((year) => (
                    <td key={year}>
                      <Change pennies={sumOf(effects, year, 'after') - sumOf(effects, year, 'before')} />
                    </td>
                  ))}
                </tr>
              </tbody>
            </table>
          </div>
        </>
      )}
      {isKeeping && <Keep award={award} count={effects?.length ?? 0} onClose={() => setKeeping(false)} />}
    </>
  )
}

/** Names a scenario and makes it: new staff assumptions, and a duplicate of each budget calculated with them. */
function Keep({ award, count, onClose }: { award: Parameters<typeof api.whatIf.try.query>[0]; count: number; onClose: () => void }) {
  const budgets = useTerm()('Budget')
  const [name, setName] = useState(`Pay award ${award.rate.toFixed(2)} %`)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const keep = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await api.whatIf.keep.mutate({ ...award, name })
      said(notices.duplicated)
      await Promise.all([reloadBudgets(), queries.invalidateQueries()])
      onClose()
    } catch (error) {
      const { fields, message } = problemOf(error)
      setProblem(fields[0]?.message ?? message)
      if (!fields.length) failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title="Keep as a scenario">
      <p style={{ marginTop: 0 }}>
        {displayCount(count, 'budget')} will be duplicated under this name, with staff assumptions that have {award.rate.toFixed(2)} % from{' '}
        {displayDate(award.effectiveDate)}. The {budgets.plural.toLowerCase()} you have stay as they are.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void keep()
        }}
      >
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          data-autofocus
        />
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end', marginTop: 16 }}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Keep
          </Button>
        </div>
      </form>
    </Modal>
  )
}
