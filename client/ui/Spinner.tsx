import { Loader } from '@mantine/core'

/** Stands in the middle of a page while it is read. */
export function Spinner() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '60vh' }}>
      <Loader role="status" aria-label="Loading" />
    </div>
  )
}
