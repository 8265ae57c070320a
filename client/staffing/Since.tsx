import { displayCount, relativeTime } from '../../domain/format.ts'
import type { api } from '../api/api.ts'

type SinceRecalculation = Awaited<ReturnType<typeof api.contracts.sinceRecalculation.query>>

/** What has changed since all contracts were last recalculated together. */
export function Since({ since }: { since: SinceRecalculation | undefined }) {
  if (!since || (!since.changed && !since.required)) return null
  return (
    <p className="since" role="status">
      {since.changed > 0 && (
        <span>
          <span className="changed" aria-hidden="true" /> {displayCount(since.changed, 'contract')} changed since the last recalculation
          {since.at ? ` ${relativeTime(since.at, new Date())}` : ''}; each was costed when it was saved.
        </span>
      )}
      {since.required && (
        <span>
          {since.required.reason} changed {relativeTime(since.required.since, new Date())}: recalculate to bring all contracts up to it.
        </span>
      )}
    </p>
  )
}
