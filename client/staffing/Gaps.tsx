import { displayCount } from '../../domain/format.ts'

/** Marks a sum that leaves something out because it could not be calculated. */
export function Gaps({ count }: { count: number }) {
  if (!count) return null
  return (
    <span className="missing" title={`${displayCount(count, 'monthly figure')} could not be calculated`}>
      *
    </span>
  )
}
