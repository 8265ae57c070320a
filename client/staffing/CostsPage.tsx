import { Drawer, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { periodName, yearName } from '../../domain/calendar.ts'
import { displayCount, figure, penniesOf, wholePounds } from '../../domain/format.ts'
import { api, problemOf } from '../api/api.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { useSelection } from '../state/selection.ts'
import { useBudget } from './tables/useBudget.ts'

type Sum = Awaited<ReturnType<typeof api.lines.sums.query>>[number]
type By = Parameters<typeof api.lines.sums.query>[0]['by']

const ways: { value: By; label: string }[] = [
  { value: 'budgetCode', label: 'Budget codes' },
  { value: 'costCentre', label: 'Cost centres' },
  { value: 'fundCode', label: 'Fund codes' },
  { value: 'component', label: 'Kinds of cost' },
]
const components: Record<string, string> = {
  pay: 'Pay: basic, allowances and leave pay',
  recovery: 'Recovered on leave',
  ni: 'Employer national insurance',
  pension: 'Employer pension',
  levy: 'Apprenticeship levy',
}

function nameOf(by: By, { key, name }: Sum): string {
  if (by === 'component') return components[key ?? ''] ?? key ?? ''
  return name ?? (by === 'budgetCode' ? 'Apprenticeship levy (no code)' : 'None')
}

interface Asked {
  sum: Sum
  year: number
}

/** What the staff of a budget cost by its codes; every figure opens the contracts it is made of, and each of those its derivation. */
export function CostsPage() {
  const { budgetId } = useSelection()
  const budget = useBudget()
  const [by, setBy] = useState<By>('budgetCode')
  const [asked, setAsked] = useState<Asked | null>(null)
  const query = useQuery({ queryKey: ['cost', 'lines', budgetId, by], queryFn: () => api.lines.sums.query({ by }) })
  const years = Array.from({ length: budget.numberOfYears }, (_unused, year) => yearName(budget.firstYear, year))
  const totals = years.map((_year, year) => (query.data ?? []).reduce((sum, line) => sum + penniesOf(line.years[year]!.total), 0))
  const missing = Math.max(0, ...(query.data ?? []).flatMap((line) => line.years.map((year) => year.missing)))
  return (
    <>
      <PageHead
        title="Staffing costs"
        documentTitle="Staffing costs - Staffing"
        facts={
          <>
            Press a figure to see the contracts it is made of
            {missing > 0 && (
              <>
                {' '}
                · <span className="up">some months could not be calculated and are left out</span>
              </>
            )}
          </>
        }
      >
        <SegmentedControl className="ways" data={ways} value={by} onChange={(value) => setBy(value as By)} aria-label="Add up by" />
      </PageHead>
      {query.isError ? (
        <div className="empty" role="alert">
          {problemOf(query.error).message}
        </div>
      ) : !query.data ? (
        <Skeleton height={320} />
      ) : query.data.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>No costs yet</h2>
            <p>Add a staff contract, or recalculate the budget group.</p>
          </div>
        </div>
      ) : (
        <div className="card scroll">
          <table className="figures">
            <thead>
              <tr>
                <th scope="col" className="text">
                  {ways.find((way) => way.value === by)!.label}
                </th>
                {years.map((year) => (
                  <th key={year} scope="col">
                    {year}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {query.data.map((sum) => (
                <tr key={sum.key ?? 'none'}>
                  <th scope="row">{nameOf(by, sum)}</th>
                  {sum.years.map(({ total, missing: gaps }, year) => (
                    <td key={years[year]}>
                      <button
                        type="button"
                        className="figure"
                        aria-label={`${nameOf(by, sum)}, ${years[year]}: ${figure(penniesOf(total))}, what it is made of`}
                        onClick={() => setAsked({ sum, year })}
                      >
                        {figure(penniesOf(total))}
                      </button>
                      {gaps > 0 && (
                        <span className="missing" title={`${displayCount(gaps, 'month')} could not be calculated`}>
                          *
                        </span>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
              <tr className="total">
                <th scope="row">All</th>
                {totals.map((total, year) => (
                  <td key={years[year]}>{figure(total)}</td>
                ))}
              </tr>
            </tbody>
          </table>
        </div>
      )}
      <Drawer
        opened={asked !== null}
        onClose={() => setAsked(null)}
        position="right"
        size="xl"
        title={asked && `${nameOf(by, asked.sum)}, ${years[asked.year]}`}
      >
        {asked && <Sources by={by} sumKey={asked.sum.key} year={asked.year} />}
      </Drawer>
    </>
  )
}

/** The contracts a figure is made of, the dearest first; each leads to its months and their derivation. */
function Sources({ by, sumKey, year }: { by: By; sumKey: string | null; year: number }) {
  const { budgetId } = useSelection()
  const { startMonth } = useBudget()
  const query = useQuery({
    queryKey: ['cost', 'sources', budgetId, by, sumKey, year],
    queryFn: () => api.lines.sources.query({ by, key: sumKey, year }),
  })
  if (query.isError) return <p role="alert">{problemOf(query.error).message}</p>
  if (!query.data) return <Skeleton height={240} />
  const total = query.data.reduce((sum, line) => sum + penniesOf(line.total), 0)
  const months = Array.from({ length: 12 }, (_unused, month) =>
    query.data.reduce((sum, line) => sum + penniesOf(line.months[month] ?? 0), 0),
  )
  return (
    <>
      <div className="bars" style={{ marginBottom: 16 }}>
        {months.map((pennies, month) => (
          <div key={month}>
            <span>{periodName(startMonth, month + 1).slice(0, 3)}</span>
            <span className="track">
              <span style={{ width: `${(100 * Math.abs(pennies)) / Math.max(1, ...months.map(Math.abs))}%` }} />
            </span>
            <span className="value">{wholePounds(pennies)}</span>
          </div>
        ))}
      </div>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col" className="text">
              {displayCount(query.data.length, 'line')}
            </th>
            <th scope="col">Year</th>
          </tr>
        </thead>
        <tbody>
          {query.data.map((line) => (
            <tr key={line.sourceId}>
              <th scope="row">
                {line.sourceKind === 'contract' ? (
                  <Link to={`/staffing/staff-contracts/${line.sourceId}/cost`}>{line.name}</Link>
                ) : (
                  line.name
                )}
              </th>
              <td>
                {figure(penniesOf(line.total))}
                {line.missing > 0 && <span className="missing"> without {displayCount(line.missing, 'month')}</span>}
              </td>
            </tr>
          ))}
          <tr className="total">
            <th scope="row">All</th>
            <td>{figure(total)}</td>
          </tr>
        </tbody>
      </table>
    </>
  )
}
