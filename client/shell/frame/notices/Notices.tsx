import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** Shows notices, including those raised before this component loaded. */
export function Notices() {
  return <Notifications position="bottom-right" limit={4} />
}
