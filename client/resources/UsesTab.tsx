import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { inSentence, type TermKey } from '../../domain/terms.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { useScreens } from '../shell/useScreens.ts'
import { selectBudget, selectLocation, useTerm } from '../state/core.ts'
import { currentSelection } from '../state/selection.ts'
import { Picker } from './Picker.tsx'
import { callsOf } from './resourceApi.ts'

type Used = Awaited<ReturnType<ReturnType<typeof callsOf>['uses']['query']>>['used'][number]

/** Where things within a budget are edited. */
const paths: Record<string, { path: string; key: TermKey }> = {
  staffContract: { path: '/staffing/staff-contracts', key: 'StaffContract' },
  entry: { path: '/non-staffing/budget-entries', key: 'BudgetEntry' },
  calculation: { path: '/non-staffing/ie-calculator', key: 'IncomeExpenditureCalculator' },
  prediction: { path: '/non-staffing/funding-predictor', key: 'FundingPredictor' },
}

/** Uses of these cannot be moved to another of their kind. */
const fixed = ['location', 'organisation', 'userGroup', 'user', 'staffMember']

function spoken(counts: { count: number; thing: string }[]): string {
  const parts = counts.map(({ count, thing }) => `${count} ${thing}`)
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

/** What uses a record, with a way to each, and all of it moved to another record in one step. */
export function UsesTab({ resource, record, mayEdit }: { resource: AnyResource; record: AnyRecord; mayEdit: boolean }) {
  const term = useTerm()
  const screens = useScreens()
  const navigate = useNavigate()
  const [other, setOther] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const uses = useQuery({
    queryKey: ['uses', resource.name, record.id, record.version],
    queryFn: () => callsOf(resource).uses.query({ id: record.id }),
    staleTime: 0,
  })
  if (uses.isError) return <p role="alert">{problemOf(uses.error).message}</p>
  if (!uses.data) return <Skeleton height={120} />
  const { counts, used } = uses.data
  const singular = inSentence(term(resource.key).singular)
  const open = async (one: Used): Promise<void> => {
    if (one.kind === 'budget') return void navigate(`/console/budget-management/budget/${one.id}`)
    const within = paths[one.kind]
    if (within) {
      if (one.locationId !== null && currentSelection().locationId !== one.locationId) await selectLocation(one.locationId)
      if (one.budgetId !== null) selectBudget(one.budgetId)
      return void navigate(`${within.path}/${one.id}`)
    }
    const screen = screens.find((each) => each.resource === one.kind && each.children?.includes(':id'))
    if (screen) void navigate(`${screen.path}/${one.id}`)
  }
  const reachable = (one: Used): boolean =>
    one.kind === 'budget' || one.kind in paths || screens.some((each) => each.resource === one.kind && each.children?.includes(':id'))
  const title = (kind: string): string => term(kind === 'budget' ? 'Budget' : (paths[kind]?.key ?? resourceNamed(kind).key)).plural
  const move = async (): Promise<void> => {
    if (other === null) return
    setBusy(true)
    try {
      const { moved, locked } = await api.resources[resource.name]!.replace.mutate({ id: record.id, withId: other })
      said(
        `Moved ${moved} ${moved === 1 ? 'use' : 'uses'}${locked.length ? `. Locked budgets keep what they have: ${locked.join(', ')}` : ''}`,
      )
      setOther(null)
      await queries.invalidateQueries()
    } catch (error) {
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  if (!counts.length)
    return (
      <div className="card">
        <div className="empty">
          <h2>Nothing uses this {singular}</h2>
          <p>It can be deleted without any harm.</p>
        </div>
      </div>
    )
  return (
    <div style={{ display: 'grid', gap: 14, maxWidth: 900 }}>
      <section className="card" style={{ overflow: 'visible' }}>
        <div className="card-head">In use by {spoken(counts)}</div>
        {mayEdit && !fixed.includes(resource.name) && (
          <div className="card-body replace">
            <Picker
              to={resource.name}
              label="Replace with"
              description={`Every use moves to the other ${singular}, in one step. Locked budgets keep what they have.`}
              value={other}
              onChange={setOther}
            />
            <Button onClick={() => void move()} disabled={other === null || other === record.id} loading={busy}>
              Replace everywhere
            </Button>
          </div>
        )}
      </section>
      {[...new Set(used.map((one) => one.kind))].map((kind) => (
        <section className="card" key={kind}>
          <div className="card-head">{title(kind)}</div>
          <ul className="links">
            {used
              .filter((one) => one.kind === kind)
              .map((one) => (
                <li key={one.id}>
                  {reachable(one) ? (
                    <button type="button" onClick={() => void open(one)}>
                      {one.name || `number ${one.id}`}
                    </button>
                  ) : (
                    one.name
                  )}
                </li>
              ))}
          </ul>
        </section>
      ))}
      {used.length === 0 && <Text c="dimmed">You do not have permission to see which.</Text>}
    </div>
  )
}
