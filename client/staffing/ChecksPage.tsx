import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { displayCount } from '../../domain/format.ts'
import { api } from '../api/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

type Finding = Awaited<ReturnType<typeof api.contracts.checks.query>>[number]

/** What each check looks for, the gravest first. */
const kinds: { code: Finding['code']; title: string; note: string }[] = [
  { code: 'notCalculated', title: 'Not calculated', note: 'left out of every total' },
  { code: 'duplicateEmployee', title: 'The same person twice', note: 'by NI number, or by name and date of birth' },
  { code: 'overFull', title: 'More than full time', note: 'all contracts of one person together' },
  { code: 'zeroPay', title: 'Pays nothing', note: 'active, with no pay in any month' },
  { code: 'noDateOfBirth', title: 'No date of birth', note: 'age decides the national insurance band' },
  { code: 'leaveWithoutRule', title: 'Leave without a rule', note: 'unpaid after the last rule' },
  { code: 'aboveMaximum', title: 'Point and maximum do not fit', note: 'no increments' },
  { code: 'archived', title: 'Archived, with a contract', note: '' },
  { code: 'ended', title: 'Past its end', note: 'costs nothing in this budget' },
]

function linkOf({ contractId, staffId }: Finding, mayEdit: boolean): string {
  if (contractId === null) return `/staffing/staff-members/${staffId}`
  return mayEdit ? `/staffing/staff-contracts/${contractId}` : `/staffing/staff-contracts/${contractId}/cost`
}

/** What looks wrong about the staff of the budget, each with where to mend it. */
export function ChecksPage() {
  const { budgetId } = useSelection()
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate'])
  const query = useQuery({ queryKey: ['contracts', 'checks', budgetId], queryFn: () => api.contracts.checks.query(), staleTime: 0 })
  if (query.isError) return <LoadFailed query={query} />
  const findings = query.data
  return (
    <>
      <PageHead
        title="Checks"
        documentTitle="Checks - Staffing"
        pills={findings && <span className={`pill ${findings.length ? 'warn' : 'good'}`}>{findings.length || 'all clear'}</span>}
        facts="What looks wrong about the staff of this budget; nothing here changes a figure by itself"
      />
      {!findings ? (
        <Skeleton height={320} />
      ) : findings.length === 0 ? (
        <div className="card">
          <div className="empty">
            <h2>Nothing looks wrong</h2>
            <p>Every contract is calculated, and nobody stands out.</p>
          </div>
        </div>
      ) : (
        kinds.map(({ code, title, note }) => {
          const own = findings.filter((finding) => finding.code === code)
          if (!own.length) return null
          return (
            <section className="card" key={code} style={{ marginBottom: 14 }}>
              <div className="card-head">
                {title} <span className="pill">{displayCount(own.length, 'finding')}</span>
                <span className="note">{note}</span>
              </div>
              <ul className="findings">
                {own.map((finding, index) => (
                  <li key={index}>
                    <Link to={linkOf(finding, mayEdit)}>
                      {[finding.person, finding.contractName].filter(Boolean).join(' · ') || 'Vacancy'}
                    </Link>
                    <span>{finding.sentence}</span>
                  </li>
                ))}
              </ul>
            </section>
          )
        })
      )}
    </>
  )
}
