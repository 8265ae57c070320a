import { Loader } from '@mantine/core'
import lateStyles from './late.module.css'

/** A loading indicator for a whole page, with a delay so that fast loads do not flash. */
export function Spinner() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60vh' }} className={lateStyles.late}>
      <Loader role="status" aria-label="Loading" />
    </div>
  )
}
