import { Skeleton } from '@mantine/core'
import lateStyles from '../late.module.css'

/** A placeholder while a page loads, delayed so that fast loads do not flash. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading" className={lateStyles.late}>
      <Skeleton height={28} width={220} mb={26} />
      <Skeleton height={360} />
    </div>
  )
}
