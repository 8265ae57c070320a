import { ActionIcon, CloseButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowsMaximize } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, Navigate } from 'react-router'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import type { Screen } from '../../shell/screens/screen.ts'
import { readSidePanelId } from '../../shell/unsavedChanges.ts'
import { useAddressParameters } from '../../shell/useAddressParameters.ts'
import { SidePanelContext } from '../../ui/sidePanelContext.ts'
import classes from './Beside.module.css'

const RecordAt = lazyComponent(() => import('../record/EditPage.tsx'), 'RecordAt')

/** A window in which a list and a record have room side by side. */
const roomy = '(min-width: 1180px)'

/** What stands beside a list: kept in the address, so that it can be sent to a colleague. */
interface Beside {
  /** The record that stands there, as the address says it; null: none. */
  id: string | null
  /** There is room for one. */
  hasRoom: boolean
  show: (id: number | string) => void
  close: () => void
}

export function useBeside(): Beside {
  const [search, put] = useAddressParameters()
  const hasRoom = useMediaQuery(roomy, undefined, { getInitialValueInEffect: false }) ?? false
  return {
    id: readSidePanelId(search),
    hasRoom,
    show: (id) => put({ beside: String(id) }),
    close: () => put({ beside: null }),
  }
}

/** Sets the focus on the first field of what stands beside the list. */
export function goBeside(): void {
  const panel = document.querySelector<HTMLElement>('[data-beside]')
  const field = panel?.querySelector<HTMLElement>('[role="tabpanel"] :is(input, textarea, button):not([disabled], [type="hidden"])')
  ;(field ?? panel)?.focus()
}

/** What closes by Esc itself, such as an open list of choices, says so at the field it belongs to. */
const closesItself = '[data-mantine-stop-propagation="true"], [aria-expanded="true"]'

/** A list with one of its records beside it: the list stays as it is, and Esc closes the record. Where there is no room the record is a page. */
export function BesideList({ screen, beside, name, children }: { screen: Screen; beside: Beside; name: string; children: ReactNode }) {
  const split = useRef<HTMLDivElement>(null)
  const { id, hasRoom } = beside
  if (id !== null && !hasRoom) return <Navigate to={`${screen.path}/${id}`} replace />
  return (
    <div
      ref={split}
      className={id === null ? undefined : classes.split}
      onKeyDownCapture={(event) => {
        if (id === null || event.key !== 'Escape' || !(event.target instanceof Element)) return
        // A dialog over the page is no part of it, though it was opened from here.
        if (event.currentTarget.contains(event.target) && !event.target.matches(closesItself)) beside.close()
      }}
    >
      <div>{children}</div>
      {id !== null && <Panel key={id} screen={screen} id={id} name={name} onClose={beside.close} list={() => split.current} />}
    </div>
  )
}

function Panel({
  screen,
  id,
  name,
  onClose,
  list,
}: {
  screen: Screen
  id: string
  name: string
  onClose: () => void
  list: () => HTMLElement | null
}) {
  const listNow = useRef(list)
  useEffect(() => {
    const frame = listNow.current()
    return () => {
      // Whoever was in the panel goes on in the list.
      if (document.activeElement === document.body) frame?.querySelector<HTMLElement>('table [data-column][tabindex="0"]')?.focus()
    }
  }, [])
  return (
    <aside className={classes.panel} aria-label={`${name} beside the list`} data-beside tabIndex={-1}>
      <div className={classes.bar}>
        <ActionIcon
          component={Link}
          to={`${screen.path}/${id}`}
          variant="subtle"
          color="gray"
          aria-label="Open as a page"
          title="Open as a page"
        >
          <IconArrowsMaximize size={16} />
        </ActionIcon>
        <CloseButton onClick={onClose} aria-label="Close the side panel" title="Close (Esc)" />
      </div>
      <SidePanelContext value={true}>
        <PageSection>
          <RecordAt screen={screen} id={id} />
        </PageSection>
      </SidePanelContext>
    </aside>
  )
}
