import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addSelection, findSelection, formatSelection } from '../../../domain/values/selectionAddress.ts'
import { PageSkeleton } from '../../ui/layout/PageSkeleton.tsx'
import { TitleEndContext } from '../../ui/titleEndContext.ts'
import { getCoreData, selectFromUrl, useCoreData } from '../core.ts'
import { LoadFailed } from '../LoadFailed.tsx'
import { notifySuccess } from '../notify.tsx'
import { getSelection, getSelectionForLinks, useSelection } from '../selection.ts'
import { isSelectionChosenByUser } from '../useChooseSelection.ts'
import { NotFound } from './ScreenGuard.tsx'

/**
 * Tells the user which budget is open now if another budget was open before, because figures must never change without the user noticing.
 */
function announceBudget(before: string | null): void {
  const { locationId, budgetId } = getSelection()
  const { budgets, locations } = getCoreData()
  const name = budgets.find((one) => one.mongoId === budgetId)?.name
  const place = locations.find((one) => one.id === locationId)?.name
  if (name && before !== null && budgetId !== before) notifySuccess(`${name} at ${place} is now open`)
}

/** Whether a page concerns a whole organisation. Such pages open even if the user may not see the location that a colleague's URL names. */
const isOfOrganisation = (pathname: string): boolean => /^\/(console|administrator)(\/|$)/.test(pathname)

const namesOrganisation = (part: string): boolean => part.startsWith('o=')

/** A URL that could not be opened, because it names something that does not exist or because loading failed. */
interface Refusal {
  asked: string
  error: unknown
}

/**
 * Shows a page after the organisation, location and budget in its URL have been selected. If the URL names no selection, the current
 * selection is added to it. A page is always shown with the selection in its URL: it is mounted again when the selection changes.
 */
export function UrlSelectionGate({ children }: { children: ReactNode }) {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const selection = useSelection()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const opened = useRef('')
  const asked = findSelection(search)
  const current = formatSelection(selection)
  const refused = refusal?.asked === asked ? refusal : null
  const nameSelection = useEffectEvent(
    () => void navigate(addSelection(`${pathname}${search}${hash}`, getSelectionForLinks()), { replace: true, state }),
  )
  const open = useEffectEvent(async (isWanted: () => boolean) => {
    const before = getSelection()
    try {
      const organisation = asked.split('&').filter(namesOrganisation).join('&')
      const isKnown =
        (await selectFromUrl(asked, isWanted)) || (isOfOrganisation(pathname) && (await selectFromUrl(organisation, isWanted)))
      if (!isKnown && isWanted()) setRefusal({ asked, error: null })
      if (isKnown && !isSelectionChosenByUser(state)) announceBudget(before.budgetId)
      // The URL does not name every level, or names a location that this user may not see.
      if (isKnown && isWanted() && formatSelection(getSelection()) === formatSelection(before)) nameSelection()
    } catch (error) {
      if (isWanted()) setRefusal({ asked, error })
    }
  })
  const isRefused = refused !== null
  useEffect(() => {
    if (asked === current) opened.current = asked
    else if (asked === '') nameSelection()
    // The selection can change while the URL stays the same, if the selected budget is deleted.
    else if (asked === opened.current) {
      announceBudget(new URLSearchParams(asked).get('b'))
      nameSelection()
    } else if (!isRefused) {
      let isWanted = true
      void open(() => isWanted)
      return () => {
        isWanted = false
      }
    }
    return undefined
  }, [asked, current, isRefused])
  if (asked === current) return <TitledPage>{children}</TitledPage>
  if (!refused) return <PageSkeleton />
  if (refused.error === null) return <NotFound />
  return <LoadFailed query={{ error: refused.error, refetch: async () => setRefusal(null) }} />
}

/** Puts the name of the school into the document's title; on pages of a whole organisation, the name of the organisation. */
function TitledPage({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  const { organisations, locations } = useCoreData()
  const { organisationId, locationId } = useSelection()
  const location = isOfOrganisation(pathname) ? undefined : locations.find((one) => one.id === locationId)
  const name = (location ?? organisations.find((one) => one.id === organisationId))?.name
  return <TitleEndContext value={name && !pathname.startsWith('/administrator') ? ` - ${name}` : ''}>{children}</TitleEndContext>
}
