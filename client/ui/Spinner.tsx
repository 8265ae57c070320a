import { Loader } from '@mantine/core'
import lateStyles from './late.module.css'

/** Stands in the middle of a page while it is read; what comes at once is not announced by a flash. */
export function Spinner() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60vh' }} className={lateStyles.late}>
      <Loader role="status" aria-label="Loading" />
    </div>
  )
}
