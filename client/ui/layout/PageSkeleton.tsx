import { Skeleton } from '@mantine/core'
import lateStyles from '../late.module.css'

/** Stands where a page will be while it is read; a page that comes at once is not announced by a flash. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading" className={lateStyles.late}>
      <Skeleton height={28} width={220} mb={26} />
      <Skeleton height={360} />
    </div>
  )
}
