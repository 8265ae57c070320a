import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { elementNames } from '../../domain/budget/budget.ts'
import { yearName } from '../../domain/calendar.ts'
import { displayDate, displayDateTime, money, penniesOf, relativeTime, wholePounds } from '../../domain/format.ts'
import { api } from '../api/api.ts'
import { useNames } from '../resources/resourceApi.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

const elementTitles = {
  teacherPayScales: 'Teacher pay scales',
  supportPayScales: 'Support pay scales',
  customTeacherPayScales: 'Custom teacher pay scales',
  customSupportPayScales: 'Custom support pay scales',
  nationalInsurance: 'National insurance',
  extendedLeaveRates: 'Extended leave rates',
}

/** A sum of a year; for those who may see them it leads to the lines it is made of. */
function YearTile({ isLink, exact, children }: { isLink: boolean; exact: string; children: ReactNode }) {
  return isLink ? (
    <Link to="/staffing/costs" className="tile" title={exact}>
      {children}
    </Link>
  ) : (
    <div className="tile" title={exact}>
      {children}
    </div>
  )
}

/** A budget at a glance: staff cost of its years, what is missing, which tables apply when. */
export function SummaryPage() {
  const { budgetId } = useSelection()
  const mayStaffing = useMay()(['BudgetingStaffingRead', 'BudgetingStaffingReadUpdate'])
  const summary = useQuery({ queryKey: ['summary', budgetId], queryFn: () => api.budgets.summary.query() })
  const budget = summary.data?.budget
  const tables = useNames(
    'adminTable',
    elementNames.flatMap((kind) => (budget?.[kind] ?? []).map((row) => row.adminTableId)),
  )
  const types = useNames('contractType', budget?.contractTypeIds ?? [])
  const assumptions = useNames('staffAssumptions', budget ? [budget.staffAssumptionsId] : [])
  if (summary.isError) return <LoadFailed query={summary} />
  if (!summary.data || !budget) return <Skeleton height={200} />
  const { years, contracts, notCalculated, savedBy } = summary.data
  return (
    <>
      <PageHead
        title={budget.name}
        documentTitle="Summary - Overview"
        pills={
          <>
            <span className="pill">{budget.startMonth === 9 ? 'September to August' : 'April to March'}</span>
            {budget.state === 2 && <span className="pill warn">Locked {displayDate(budget.lockedAt)}</span>}
          </>
        }
        facts={
          <>
            Saved {relativeTime(budget.savedAt, new Date())}
            {savedBy && <> by {savedBy}</>}
            {budget.recalculatedAt && <> · costs of {displayDateTime(budget.recalculatedAt)}</>}
            {notCalculated > 0 && (
              <>
                {' '}
                ·{' '}
                <b className="up">
                  {notCalculated} of {contracts} contracts are not calculated
                </b>
              </>
            )}
          </>
        }
      >
        {mayStaffing && (
          <Button component={Link} to="/staffing/staff-contracts" variant="default">
            Staff contracts
          </Button>
        )}
      </PageHead>
      <div className="tiles">
        {years.map(({ total, missing, levy }, year) => {
          const name = yearName(budget.firstYear, year)
          const before = years[year - 1]
          const isWhole = missing === 0 && before?.missing === 0 && total !== null && before.total !== null
          const change = isWhole ? penniesOf(total) - penniesOf(before.total!) : null
          return (
            <YearTile key={name} isLink={mayStaffing} exact={total === null ? 'not calculated' : money(penniesOf(total))}>
              <span className="dim">Staff cost {name}</span>
              <strong>{total === null ? <span className="missing">not calculated</span> : wholePounds(penniesOf(total))}</strong>
              {total !== null && missing > 0 && <span className="missing">without {missing} not calculated</span>}
              {total !== null && missing === 0 && (
                <span className={change === null ? 'dim' : change > 0 ? 'up' : 'down'}>
                  {change === null ? `${contracts} contracts` : `${change > 0 ? '▲ up' : '▼ down'} ${wholePounds(Math.abs(change))}`}
                </span>
              )}
              {levy > 0 && <div className="dim">and apprenticeship levy {wholePounds(penniesOf(levy))}</div>}
            </YearTile>
          )
        })}
      </div>
      <div className="card scroll">
        <div className="card-head">
          What the figures are made with <span className="note">each from its date on</span>
        </div>
        <table className="figures words">
          <tbody>
            <tr>
              <th scope="row">Staff assumptions</th>
              <td>{assumptions.get(budget.staffAssumptionsId)?.name}</td>
            </tr>
            <tr>
              <th scope="row">Contract types</th>
              <td>{budget.contractTypeIds.map((id) => types.get(id)?.name).join(', ')}</td>
            </tr>
            {elementNames
              .filter((kind) => budget[kind].length)
              .map((kind) => (
                <tr key={kind}>
                  <th scope="row">{elementTitles[kind]}</th>
                  <td style={{ whiteSpace: 'normal' }}>
                    {budget[kind]
                      .map((row) => `${tables.get(row.adminTableId)?.name ?? '…'} from ${displayDate(row.effectiveDate)}`)
                      .join(' · ')}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
