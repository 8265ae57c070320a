import { Loader } from '@mantine/core'
import lateStyles from './late.module.css'

/** Centred on a page while it loads, with a delay so that fast loads do not flash. */
export function Spinner() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60vh' }} className={lateStyles.late}>
      <Loader role="status" aria-label="Loading" />
    </div>
  )
}
