import { Alert, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { displayDateTime, money, penniesOf, wholePounds } from '../../domain/format.ts'
import { api } from '../api/api.ts'
import { download, failed } from '../api/notify.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { useSelection } from '../state/selection.ts'
import { type Side, SidePicker, sideOf, useSides } from './sides.tsx'

type Compared = Awaited<ReturnType<typeof api.moments.compare.query>>
type Pair = Compared['codes'][number]['years'][number]

const whats = { added: 'Added', removed: 'Removed', changed: 'Changed', recosted: 'Costs differ', same: '' }
const amount = (pounds: number | null): string => (pounds === null ? '–' : wholePounds(penniesOf(pounds)))

function Difference({ a, b }: Pair) {
  if (a === null || b === null) return <td>–</td>
  const pennies = penniesOf(b) - penniesOf(a)
  return (
    <td className={pennies > 0 ? 'up' : pennies < 0 ? 'down' : 'dim'} title={money(pennies)}>
      {pennies > 0 ? `+${wholePounds(pennies)}` : pennies === 0 ? '0' : wholePounds(pennies)}
    </td>
  )
}

function Codes({ result, year }: { result: Compared; year: number }) {
  const [all, setAll] = useState(false)
  const differs = ({ years }: Compared['codes'][number]): boolean => years[year]!.a !== years[year]!.b
  const rows = all ? result.codes : result.codes.filter(differs)
  const total = (side: boolean): Pair => {
    const sum = (pick: 'a' | 'b'): number | null => {
      const known = result.codes.filter((row) => row.isIncome === side).map((row) => row.years[year]![pick])
      return known.every((value) => value === null)
        ? null
        : known.reduce<number>((pennies, value) => pennies + penniesOf(value ?? 0), 0) / 100
    }
    return { a: sum('a'), b: sum('b') }
  }
  return (
    <section className="card scroll" aria-label="By budget code">
      <div className="card-head">
        By budget code{' '}
        <span className="note">
          <Button variant="subtle" size="compact-xs" onClick={() => setAll(!all)}>
            {all ? 'Only what differs' : `All ${result.codes.length} codes`}
          </Button>
        </span>
      </div>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col" className="text">
              Code
            </th>
            <th scope="col" className="text">
              Description
            </th>
            <th scope="col">{result.a}</th>
            <th scope="col">{result.b}</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.budgetCodeId ?? 'levy'}>
              <td className="text">{row.code}</td>
              <th scope="row">
                {row.description} {row.isIncome && <span className="dim">income</span>}
              </th>
              <td>{amount(row.years[year]!.a)}</td>
              <td>{amount(row.years[year]!.b)}</td>
              <Difference {...row.years[year]!} />
            </tr>
          ))}
          {!rows.length && (
            <tr>
              <td colSpan={5} className="dim" style={{ textAlign: 'center' }}>
                Every code is the same in this year.
              </td>
            </tr>
          )}
          {[true, false].map((side) => (
            <tr className="total" key={String(side)}>
              <td className="text" />
              <th scope="row" className="text">
                {side ? 'All income' : 'All expenditure'}
              </th>
              <td>{amount(total(side).a)}</td>
              <td>{amount(total(side).b)}</td>
              <Difference {...total(side)} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Things({ result, year }: { result: Compared; year: number }) {
  if (!result.things.length)
    return (
      <Alert color="teal" role="status">
        No contract and no entry differs.
      </Alert>
    )
  return (
    <section className="card scroll" aria-label="What differs">
      <div className="card-head">
        What differs <span className="note">{result.unchanged} more are the same</span>
      </div>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col" className="text">
              Contract or entry
            </th>
            <th scope="col" className="text">
              Why and by whom
            </th>
            <th scope="col">{result.a}</th>
            <th scope="col">{result.b}</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {result.things.map((thing) => (
            <tr key={`${thing.kind} ${thing.root}`}>
              <th scope="row">
                {thing.person ? `${thing.person}: ` : thing.code ? `${thing.code} ` : ''}
                {thing.name}
              </th>
              <td className="text wrap">
                <b>{whats[thing.what]}</b>
                {thing.changes.map((change) => (
                  <div key={change.field}>
                    {change.field}: {change.before} → {change.after}
                  </div>
                ))}
                {thing.touches.map((touch) => (
                  <div className="dim" key={touch.at}>
                    {touch.actor}, {displayDateTime(touch.at)}
                  </div>
                ))}
              </td>
              <td>{amount(thing.years[year]!.a)}</td>
              <td>{amount(thing.years[year]!.b)}</td>
              <Difference {...thing.years[year]!} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Two budgets, or two moments, side by side by code, contract and entry. */
export function ComparePage() {
  const { budgetId } = useSelection()
  const [search, setSearch] = useSearchParams()
  const sides = useSides()
  const a = sideOf(search.get('a')) ?? sides.suggestion()
  const b = sideOf(search.get('b')) ?? (budgetId ? { budgetId, version: null } : null)
  const [chosenYear, setYear] = useState<string | null>(null)
  const result = useQuery({
    queryKey: ['compare', a, b],
    queryFn: () => api.moments.compare.query({ a: a!, b: b! }),
    enabled: a !== null && b !== null,
  })
  const set = (key: 'a' | 'b', side: Side): void => {
    const next = { a, b, [key]: side }
    setSearch({ a: `${next.a?.budgetId}@${next.a?.version ?? ''}`, b: `${next.b?.budgetId}@${next.b?.version ?? ''}` }, { replace: true })
  }
  const exportFile = async (): Promise<void> => {
    try {
      download(await api.moments.compareFile.query({ a: a!, b: b! }))
    } catch (error) {
      failed(error)
    }
  }
  const years = result.data?.years ?? []
  const year = Math.max(0, years.indexOf(chosenYear ?? ''))
  return (
    <>
      <PageHead
        title="Compare"
        documentTitle="Compare - Overview"
        facts="Any two budgets or moments, by code and by contract, with who changed what and when"
      >
        <Button variant="default" onClick={() => void exportFile()} disabled={!result.data}>
          Export
        </Button>
      </PageHead>
      <div className="tools" style={{ alignItems: 'end' }}>
        <SidePicker label="From" groups={sides.groups} value={a} onChange={(side) => set('a', side)} />
        <SidePicker label="To" groups={sides.groups} value={b} onChange={(side) => set('b', side)} />
        {years.length > 1 && <SegmentedControl data={years} value={years[year]} onChange={setYear} aria-label="Year" />}
      </div>
      {sides.query.isError && <LoadFailed query={sides.query} />}
      {result.isError && <LoadFailed query={result} />}
      {(result.isLoading || !sides.ready) && <Skeleton height={300} />}
      {result.data && (
        <div className="stack">
          <Codes result={result.data} year={year} />
          <Things result={result.data} year={year} />
        </div>
      )}
    </>
  )
}
