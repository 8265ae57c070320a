import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { displayCount, displayDateTime } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { CursorPager, rowsPerPage } from '../CursorPager.tsx'
import classes from '../Integrations.module.css'
import { activePollMs, type Connection, idlePollMs, RunOutcomeLabel } from './connectionState.tsx'

/** The results of a connection's runs, with a row for each file, newest first. */
export function ConnectionRuns({ connection: { id, isUnderWay } }: { connection: Connection }) {
  /** Cursors of the pages visited after the first. Each is the id of the last row of the page before. */
  const [cursors, setCursors] = useState<number[]>([])
  const runs = trpc.connections.runs.useQuery(
    // One row more than is shown, to find out whether there are older rows.
    { id, before: cursors.at(-1) ?? null, most: rowsPerPage + 1 },
    { staleTime: 0, refetchInterval: isUnderWay ? activePollMs : idlePollMs, placeholderData: (before) => before },
  )
  const { refetch } = runs
  useEffect(() => {
    // A run has ended, so load its result.
    if (!isUnderWay) void refetch()
  }, [isUnderWay, refetch])
  const rows = runs.data?.slice(0, rowsPerPage)
  return (
    <Card style={{ marginTop: 16 }} aria-label="Runs">
      <CardHead>Runs</CardHead>
      {runs.isError && !rows ? (
        <LoadFailed query={runs} />
      ) : !rows ? (
        <Skeleton height={120} />
      ) : !rows.length ? (
        <CardBody className={textStyles.dim}>
          No runs yet. Test the connection to see what a run would do, without changing anything.
        </CardBody>
      ) : (
        <DataTable
          label="Runs"
          className={classes.table}
          isWrapped
          columns={[
            {
              id: 'at',
              label: 'When',
              cell: ({ at, askedById }) => (
                <>
                  {displayDateTime(at)}
                  <div className={textStyles.dim}>{askedById ? 'Manual' : 'Scheduled'}</div>
                </>
              ),
            },
            { id: 'outcome', label: 'Outcome', cell: (run) => <RunOutcomeLabel run={run} /> },
            {
              id: 'file',
              label: 'File',
              cellProps: () => ({ className: classes.address }),
              cell: ({ file, rows: count }) => (
                <>
                  {file}
                  {count !== null && <div className={textStyles.dim}>{displayCount(count, 'row')}</div>}
                </>
              ),
            },
            { id: 'message', label: 'What happened' },
          ]}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      <CursorPager rows={runs.data} turned={cursors} onTurn={setCursors} isTurning={runs.isPlaceholderData} />
    </Card>
  )
}
