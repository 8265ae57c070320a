import { SideDialog } from '../../../ui/dialogs/Dialog.tsx'
import { Navigation } from './Navigation.tsx'

/** The navigation where there is no room for it beside the page. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  return (
    <SideDialog onClose={onClose} size={270} title="Bursar" zIndex={200}>
      <Navigation label="Areas, drawer" onNavigate={onClose} />
    </SideDialog>
  )
}
