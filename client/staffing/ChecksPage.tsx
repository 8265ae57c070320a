import { Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { displayCount } from '../../domain/values/format.ts'
import { type api, trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import classes from './ChecksPage.module.css'

type Finding = Awaited<ReturnType<typeof api.contracts.checks.query>>['findings'][number]

/** The checks, most serious first. */
const kinds: { code: Finding['code']; title: string; note: string }[] = [
  { code: 'notCalculated', title: 'Not calculated', note: 'left out of every total' },
  { code: 'duplicateEmployee', title: 'The same person twice', note: 'by NI number, or by name and date of birth' },
  { code: 'overFull', title: 'More than full time', note: 'all contracts of one person together' },
  { code: 'zeroPay', title: 'No pay', note: 'active, with no pay in any month' },
  { code: 'noDateOfBirth', title: 'No date of birth', note: 'age decides the national insurance band' },
  { code: 'leaveWithoutRule', title: 'Leave not covered by a rule', note: 'unpaid after the last rule' },
  { code: 'aboveMaximum', title: 'Scale point above its maximum', note: 'no increments' },
  { code: 'noIncrements', title: 'No maximum scale point', note: 'no increments' },
  { code: 'termTimeWeeks', title: 'Paid for term time only', note: 'holiday pay seems to be missing' },
  { code: 'archived', title: 'Archived, with a contract', note: '' },
  { code: 'ended', title: 'Already ended', note: 'costs nothing in this budget' },
  { code: 'endsWithin', title: 'Ends within this budget', note: 'not in later years' },
]

function getFindingPath({ contractId, staffId }: Finding, mayEdit: boolean): string {
  if (contractId === null) return `/staffing/staff-members/${staffId}`
  return mayEdit ? `/staffing/staff-contracts/${contractId}` : `/staffing/staff-contracts/${contractId}/cost`
}

/** Cursor of the first page. */
const firstCursor: string | null = null

/** Likely mistakes in the budget's staff data, each with a link to the screen where it can be corrected. */
export function ChecksPage() {
  const mayEdit = usePermissionCheck()(['BudgetingStaffingReadUpdate'])
  const { client } = trpc.useUtils()
  const query = useInfiniteQuery({
    queryKey: [...getQueryKey(trpc.contracts.checks), 'blocks'],
    queryFn: ({ pageParam: after }) => client.contracts.checks.query({ after }),
    initialPageParam: firstCursor,
    getNextPageParam: (block) => block.next,
    staleTime: 0,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  if (isError) return <LoadFailed query={query} />
  const found = data?.pages.flatMap((block) => block.findings)
  // If more pages can be loaded, an empty list does not yet mean that there are no findings.
  const findings = found?.length === 0 && hasNextPage ? undefined : found
  return (
    <>
      <PageHead
        title="Checks"
        documentTitle="Checks - Staffing"
        pills={
          findings && (
            <Pill tone={findings.length ? 'warn' : 'good'}>
              {hasNextPage ? `${findings.length} so far` : findings.length || 'all clear'}
            </Pill>
          )
        }
        facts="Possible problems with the staff of this budget; nothing here changes a figure"
      />
      {!findings ? (
        <Skeleton height={320} />
      ) : findings.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No problems found</h2>
            <p>Every contract is calculated and passes every check.</p>
          </EmptyState>
        </Card>
      ) : (
        kinds.map(({ code, title, note }) => {
          const ofCode = findings.filter((finding) => finding.code === code)
          if (!ofCode.length) return null
          return (
            <Card key={code} style={{ marginBottom: 14 }}>
              <CardHead>
                {title} <Pill>{displayCount(ofCode.length, 'finding')}</Pill>
                <CardNote>{note}</CardNote>
              </CardHead>
              <ul className={classes.findings}>
                {ofCode.map((finding, index) => (
                  <li key={index}>
                    <Link to={getFindingPath(finding, mayEdit)}>
                      {[finding.person, finding.contractName].filter(Boolean).join(' · ') || 'Vacancy'}
                    </Link>
                    <span>{finding.sentence}</span>
                  </li>
                ))}
              </ul>
            </Card>
          )
        })
      )}
    </>
  )
}
