import { displayCount } from '../../../domain/values/format.ts'
import textStyles from '../labels/text.module.css'

/** Marks a sum that leaves something out because it could not be calculated. */
export function IncompleteSumNote({ count }: { count: number }) {
  if (!count) return null
  return (
    <span className={textStyles.missing} title={`${displayCount(count, 'monthly figure')} could not be calculated`}>
      *
    </span>
  )
}
