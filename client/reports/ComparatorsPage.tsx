import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { useMayForAll } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Empty } from '../ui/Empty.tsx'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { comparatorsPath } from './addresses.ts'
import { ComparatorDialog } from './ComparatorDialog.tsx'

/** Sets of schools that the benchmark report compares the organisation's own with. */
export function ComparatorsPage() {
  const mayEdit = useMayForAll()(['ConsoleOrganisationsReadUpdate'])
  const sets = trpc.comparators.list.useQuery()
  const [isImporting, setImporting] = useState(false)
  const add = mayEdit && <Button onClick={() => setImporting(true)}>Import a file</Button>
  return (
    <>
      <PageHead
        title="Comparators"
        documentTitle="Comparators - Console"
        pills={sets.data && <Pill>{sets.data.length}</Pill>}
        facts="Schools of the benchmarking service that the report of measures lays each of yours beside."
      >
        {add}
      </PageHead>
      {sets.isError ? (
        <LoadFailed query={sets} />
      ) : !sets.data ? (
        <Skeleton height={240} />
      ) : sets.data.length === 0 ? (
        <Card>
          <Empty>
            <h2>No comparators yet</h2>
            <p>
              In the Financial Benchmarking and Insights Tool open a school, compare its spending with similar schools and download the
              data: a zip file with a CSV file for each set of schools.{' '}
              {mayEdit
                ? 'Import one of those here, then choose which of its schools belong to your set.'
                : 'Who keeps the organisation imports one of those here.'}
            </p>
            {add}
          </Empty>
        </Card>
      ) : (
        <Card className={scrollStyles.scroll} aria-label="Sets of comparators">
          <Figures>
            <thead>
              <tr>
                <th scope="col">Set</th>
                <th scope="col" className={figuresStyles.text}>
                  Schools
                </th>
                <th scope="col" className={figuresStyles.text}>
                  Year
                </th>
                <th scope="col" className={figuresStyles.text}>
                  File
                </th>
                <th scope="col" className={figuresStyles.text}>
                  Imported
                </th>
              </tr>
            </thead>
            <tbody>
              {sets.data.map((set) => (
                <tr key={set.id}>
                  <th scope="row">
                    <Link to={`${comparatorsPath}/${set.id}`}>{set.name}</Link> {set.isUsed && <Pill tone="good">In reports</Pill>}
                  </th>
                  <td className={figuresStyles.text}>
                    {set.chosen === set.schools
                      ? displayCount(set.schools, 'school')
                      : `${set.chosen} of ${displayCount(set.schools, 'school')}`}
                  </td>
                  <td className={figuresStyles.text}>{set.year ?? ''}</td>
                  <td className={figuresStyles.text}>{set.source}</td>
                  <td className={figuresStyles.text}>{displayDateTime(set.created)}</td>
                </tr>
              ))}
            </tbody>
          </Figures>
        </Card>
      )}
      {isImporting && <ComparatorDialog onClose={() => setImporting(false)} />}
    </>
  )
}
