import { SideDialog } from '../../../ui/dialogs/Dialog.tsx'
import { Navigation } from './Navigation.tsx'

/** The navigation as a drawer, for narrow windows. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  return (
    <SideDialog onClose={onClose} size={270} title="Bursar" zIndex={200}>
      <Navigation label="Areas menu" onNavigate={onClose} />
    </SideDialog>
  )
}
