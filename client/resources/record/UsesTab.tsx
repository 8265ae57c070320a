import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { getResource } from '../../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { type TermKey, toMidSentence } from '../../../domain/words/terms.ts'
import { toPublicError } from '../../shell/api.ts'
import { useOpenBudgetScreen } from '../../shell/BudgetLink.tsx'
import { useTerm } from '../../shell/core.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { hasSubPage } from '../../shell/screens/screen.ts'
import { useScreens } from '../../shell/screens/useScreens.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { RecordPicker } from '../inputs/RecordPicker.tsx'
import { type getResourceCalls, getResourceHooks } from '../resourceApi.ts'
import classes from './UsesTab.module.css'

type Used = Awaited<ReturnType<ReturnType<typeof getResourceCalls>['uses']['query']>>['used'][number]

/** The paths of the screens that edit items within a budget. */
const paths: Record<string, { path: string; key: TermKey }> = {
  staffContract: { path: '/staffing/staff-contracts', key: 'StaffContract' },
  entry: { path: '/non-staffing/budget-entries', key: 'BudgetEntry' },
  calculation: { path: '/non-staffing/ie-calculator', key: 'IncomeExpenditureCalculator' },
  prediction: { path: '/non-staffing/funding-predictor', key: 'FundingPredictor' },
}

function describeCounts(counts: { count: number; thing: string }[]): string {
  const parts = counts.map(({ count, thing }) => `${count} ${thing}`)
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

/** Lists what uses a record, with links and a button that moves all uses to another record. */
export function UsesTab({ resource, record, mayEdit }: { resource: AnyResource; record: AnyRecord; mayEdit: boolean }) {
  const term = useTerm()
  const screens = useScreens()
  const navigate = useNavigate()
  const openBudgetScreen = useOpenBudgetScreen()
  const [other, setOther] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const { mutateAsync: replace } = getResourceHooks(resource).replace.useMutation()
  const uses = getResourceHooks(resource).uses.useQuery({ id: record.id }, { staleTime: 0 })
  if (uses.isLoadingError) return <p role="alert">{toPublicError(uses.error).message}</p>
  if (!uses.data) return <Skeleton height={120} />
  const { counts, used, hidden } = uses.data
  const singular = toMidSentence(term(resource.key).singular)
  const open = async (one: Used): Promise<void> => {
    if (one.kind === 'budget') return void navigate(`/console/budget-management/budget/${one.id}`)
    const budgetPath = paths[one.kind]
    if (budgetPath) return openBudgetScreen(one, `${budgetPath.path}/${one.id}`)
    const screen = screens.find((each) => each.resource === one.kind && hasSubPage(each, ':id'))
    if (screen) void navigate(`${screen.path}/${one.id}`)
  }
  const canOpen = (one: Used): boolean =>
    one.kind === 'budget' || one.kind in paths || screens.some((each) => each.resource === one.kind && hasSubPage(each, ':id'))
  const title = (kind: string): string => term(kind === 'budget' ? 'Budget' : (paths[kind]?.key ?? getResource(kind).key)).plural
  const move = async (): Promise<void> => {
    if (other === null) return
    setBusy(true)
    try {
      const { moved, locked } = await replace({ id: record.id, withId: other })
      notifySuccess(`Moved ${displayCount(moved, 'use')}${locked.length ? `. Locked budgets were not changed: ${locked.join(', ')}` : ''}`)
      setOther(null)
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  if (!counts.length)
    return (
      <Card>
        <EmptyState>
          <h2>{hidden ? `In use where you do not have access` : `Nothing uses this ${singular}`}</h2>
          <p>{hidden ? 'Ask someone with wider access before you change or delete it.' : 'It can be deleted safely.'}</p>
        </EmptyState>
      </Card>
    )
  return (
    <div style={{ display: 'grid', gap: 14, maxWidth: 900 }}>
      <Card style={{ overflow: 'visible' }}>
        <CardHead>
          In use by {describeCounts(counts)}
          {hidden && ', and in places that you cannot see'}
        </CardHead>
        {mayEdit && !resource.usesStay && (
          <CardBody className={classes.replace}>
            <RecordPicker
              to={resource.name}
              label="Replace with"
              description={`Every use moves to the other ${singular}, in one step. Locked budgets, and months imported from a ledger, are not changed.`}
              value={other}
              onChange={setOther}
            />
            <Button onClick={() => void move()} disabled={other === null || other === record.id} loading={busy}>
              Replace everywhere
            </Button>
          </CardBody>
        )}
      </Card>
      {[...new Set(used.map((one) => one.kind))].map((kind) => (
        <Card key={kind}>
          <CardHead>{title(kind)}</CardHead>
          <ul className={classes.links}>
            {used
              .filter((one) => one.kind === kind)
              .map((one) => (
                <li key={one.id}>
                  {canOpen(one) ? (
                    <button type="button" onClick={() => void open(one)}>
                      {one.name || `number ${one.id}`}
                    </button>
                  ) : (
                    one.name
                  )}
                </li>
              ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}
