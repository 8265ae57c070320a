import { Skeleton } from '@mantine/core'
import { displayDateTime } from '../../../domain/values/format.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'

interface Entry {
  version: number
  actor: string
  occurredAt: string
}

/** A record's history: who did what and when. */
export function HistoryCard<E extends Entry>({
  history,
  what,
  none,
}: {
  history: { data: E[] | undefined; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  what: (entry: E) => string
  /** Shown if there is no history. */
  none?: string
}) {
  return (
    <Card style={{ maxWidth: 720, marginTop: 16 }} aria-label="History">
      <CardHead>History</CardHead>
      {history.isError ? (
        <LoadFailed query={history} />
      ) : !history.data ? (
        <Skeleton height={80} />
      ) : none && !history.data.length ? (
        <CardBody className={textStyles.dim}>{none}</CardBody>
      ) : (
        <ul className={historyStyles.history}>
          {history.data.map((entry) => (
            <li key={entry.version}>
              <b>{entry.actor}</b> {what(entry)}, <span className={textStyles.dim}>{displayDateTime(entry.occurredAt)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
