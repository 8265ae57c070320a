import { displayCount, formatRelativeTime } from '../../domain/values/format.ts'
import { OutOfDateNotice } from '../budget/OutOfDateNotice.tsx'
import type { api } from '../shell/api.ts'
import textStyles from '../ui/labels/text.module.css'

type SinceRecalculation = Awaited<ReturnType<typeof api.contracts.sinceRecalculation.query>>

/** The number of changes since the last recalculation of all contracts. */
export function ChangesSinceRecalculation({ since }: { since: SinceRecalculation | undefined }) {
  if (!since || (!since.changed && !since.required)) return null
  return (
    <p className={textStyles.since} role="status">
      {since.changed > 0 && (
        <span>
          <span className={textStyles.changed} aria-hidden="true" /> {displayCount(since.changed, 'contract')} changed since the last
          recalculation
          {since.at ? ` ${formatRelativeTime(since.at, new Date())}` : ''}; each contract was costed when it was saved.
        </span>
      )}
      {since.required && <OutOfDateNotice />}
    </p>
  )
}
