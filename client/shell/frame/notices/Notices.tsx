import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** Where notices show; what was said before it is read waits for it. */
export function Notices() {
  return <Notifications position="bottom-right" limit={4} />
}
