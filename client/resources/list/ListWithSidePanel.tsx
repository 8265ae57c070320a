import { ActionIcon, CloseButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowsMaximize } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, Navigate } from 'react-router'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import type { Screen } from '../../shell/screens/screen.ts'
import { readSidePanelId } from '../../shell/unsavedChanges.ts'
import { useUrlParameters } from '../../shell/useAddressParameters.ts'
import { IsInSidePanelContext } from '../../ui/sidePanelContext.ts'
import classes from './ListWithSidePanel.module.css'

const RecordById = lazyComponent(() => import('../record/EditPage.tsx'), 'LoadedRecordEditor')

/** Matches a window that is wide enough for a list with a record next to it. */
const wideWindowQuery = '(min-width: 1180px)'

/** The record shown next to a list. The URL contains the record's id, so that users can send each other a link to it. */
interface SidePanel {
  /** The id in the URL; null if no record is open. */
  id: string | null
  /** Whether the window is wide enough for a side panel. */
  hasRoom: boolean
  show: (id: number | string) => void
  close: () => void
}

export function useSidePanel(): SidePanel {
  const [search, setParameters] = useUrlParameters()
  const hasRoom = useMediaQuery(wideWindowQuery, undefined, { getInitialValueInEffect: false }) ?? false
  return {
    id: readSidePanelId(search),
    hasRoom,
    show: (id) => setParameters({ beside: String(id) }),
    close: () => setParameters({ beside: null }),
  }
}

/** Focuses the first field of the side panel. */
export function focusSidePanel(): void {
  const panel = document.querySelector<HTMLElement>('[data-beside]')
  const field = panel?.querySelector<HTMLElement>('[role="tabpanel"] :is(input, textarea, button):not([disabled], [type="hidden"])')
  ;(field ?? panel)?.focus()
}

/** Matches fields that handle Escape themselves, such as an open select. Escape then does not close the panel. */
const closesItself = '[data-mantine-stop-propagation="true"], [aria-expanded="true"]'

/**
 * A list with one of its records in a side panel, which Escape closes. If the window is too narrow, the record opens on a page of its own
 * instead.
 */
export function ListWithSidePanel({
  screen,
  beside,
  name,
  children,
}: {
  screen: Screen
  beside: SidePanel
  name: string
  children: ReactNode
}) {
  const split = useRef<HTMLDivElement>(null)
  const { id, hasRoom } = beside
  if (id !== null && !hasRoom) return <Navigate to={`${screen.path}/${id}`} replace />
  return (
    <div
      ref={split}
      className={id === null ? undefined : classes.split}
      onKeyDownCapture={(event) => {
        if (id === null || event.key !== 'Escape' || !(event.target instanceof Element)) return
        // Ignore Escape in a dialog above the page. React passes on its events although the dialog is outside this element.
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
      // If the focus was in the panel, move it back to the list.
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
      <IsInSidePanelContext value={true}>
        <PageSection>
          <RecordById screen={screen} id={id} />
        </PageSection>
      </IsInSidePanelContext>
    </aside>
  )
}
