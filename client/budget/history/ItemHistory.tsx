import { displayCount, displayDateTime } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { CardNote } from '../../ui/layout/Card.tsx'
import { ChangedFields } from '../../ui/table/ChangedFields.tsx'

export function ItemHistory({ id }: { id: string }) {
  const query = trpc.budgets.history.useQuery({ itemId: id })
  return (
    <details className={cardStyles.card}>
      <summary className={cardStyles.cardHead}>
        History <CardNote>{query.data ? displayCount(query.data.length, 'change') : ''}</CardNote>
      </summary>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : (
        <ul className={historyStyles.history}>
          {query.data?.map((line) => (
            <li key={line.version}>
              <b>{line.actor}</b> {line.sentence} <span className={textStyles.dim}>{displayDateTime(line.at)}</span>
              {line.changes.length > 0 && <ChangedFields changes={line.changes.slice(0, 12)} />}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
