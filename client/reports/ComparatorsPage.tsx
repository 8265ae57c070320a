import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { useOrganisationWideCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { ComparatorDialog } from './ComparatorDialog.tsx'
import { comparatorsPath } from './comparatorsPath.ts'

/** The sets of schools with which the benchmark report compares the organisation's own schools. */
export function ComparatorsPage() {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const sets = trpc.comparators.list.useQuery()
  const [isImporting, setImporting] = useState(false)
  const add = mayEdit && <Button onClick={() => setImporting(true)}>Import a file</Button>
  return (
    <>
      <PageHead
        title="Comparators"
        documentTitle="Comparators - Console"
        pills={sets.data && <Pill>{sets.data.length}</Pill>}
        facts="Schools from the benchmarking service, which the measures report compares with each of yours."
      >
        {add}
      </PageHead>
      {sets.isError ? (
        <LoadFailed query={sets} />
      ) : !sets.data ? (
        <Skeleton height={240} />
      ) : sets.data.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No comparators yet</h2>
            <p>
              In the Financial Benchmarking and Insights Tool open a school, compare its spending with similar schools and download the
              data: a zip file with a CSV file for each set of schools.{' '}
              {mayEdit
                ? 'Import one of those here, then choose which of its schools belong to your set.'
                : 'Someone who manages the organisation imports one of those here.'}
            </p>
            {add}
          </EmptyState>
        </Card>
      ) : (
        <Card className={scrollStyles.scroll} aria-label="Sets of comparators">
          <DataTable
            columns={[
              {
                id: 'name',
                label: 'Set',
                cell: (set) => (
                  <>
                    <Link to={`${comparatorsPath}/${set.id}`}>{set.name}</Link> {set.isUsed && <Pill tone="good">In reports</Pill>}
                  </>
                ),
              },
              {
                id: 'schools',
                label: 'Schools',
                cell: ({ chosen, schools }) =>
                  chosen === schools ? displayCount(schools, 'school') : `${chosen} of ${displayCount(schools, 'school')}`,
              },
              { id: 'year', label: 'Year' },
              { id: 'source', label: 'File' },
              { id: 'created', label: 'Imported', cell: ({ created }) => displayDateTime(created) },
            ]}
            rows={sets.data}
            keyOf={({ id }) => id}
          />
        </Card>
      )}
      {isImporting && <ComparatorDialog onClose={() => setImporting(false)} />}
    </>
  )
}
