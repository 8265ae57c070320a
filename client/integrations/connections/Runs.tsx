import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { displayCount, displayDateTime } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import classes from '../Integrations.module.css'
import { pageRows, Turner } from '../Turner.tsx'
import { type Connection, lookMs, RunOutcome, restMs } from './state.tsx'

/** The results of a connection's runs, a row per file, newest first. */
export function Runs({ connection: { id, isUnderWay } }: { connection: Connection }) {
  /** Cursor of each page visited: the id of the last row of the page before it. */
  const [turned, setTurned] = useState<number[]>([])
  const runs = trpc.connections.runs.useQuery(
    // One more row than shown, to know whether there are older ones.
    { id, before: turned.at(-1) ?? null, most: pageRows + 1 },
    { staleTime: 0, refetchInterval: isUnderWay ? lookMs : restMs, placeholderData: (before) => before },
  )
  const { refetch } = runs
  useEffect(() => {
    // Fetch the result of a run that has just ended.
    if (!isUnderWay) void refetch()
  }, [isUnderWay, refetch])
  const rows = runs.data?.slice(0, pageRows)
  return (
    <Card style={{ marginTop: 16 }} aria-label="Runs">
      <CardHead>Runs</CardHead>
      {runs.isError && !rows ? (
        <LoadFailed query={runs} />
      ) : !rows ? (
        <Skeleton height={120} />
      ) : !rows.length ? (
        <CardBody className={textStyles.dim}>No run yet. Try it: that says what a run would do, and changes nothing.</CardBody>
      ) : (
        <table className={classes.table} aria-label="Runs">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Outcome</th>
              <th scope="col">File</th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((run) => (
              <tr key={run.id}>
                <th scope="row">
                  {displayDateTime(run.at)}
                  <div className={textStyles.dim}>{run.askedById ? 'By hand' : 'By its schedule'}</div>
                </th>
                <td>
                  <RunOutcome run={run} />
                </td>
                <td className={classes.address}>
                  {run.file}
                  {run.rows !== null && <div className={textStyles.dim}>{displayCount(run.rows, 'row')}</div>}
                </td>
                <td>{run.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Turner rows={runs.data} turned={turned} onTurn={setTurned} isTurning={runs.isPlaceholderData} />
    </Card>
  )
}
