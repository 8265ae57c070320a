import type { DataRouter, RouterNavigateOptions, To } from 'react-router'
import { addSelection, findSelection } from '../../domain/values/selectionAddress.ts'
import { getSelectionForLinks } from './selection.ts'

function withSelection(to: string): string {
  const search = /\?[^#]*/.exec(to)?.[0] ?? ''
  return findSelection(search) ? to : addSelection(to, getSelectionForLinks())
}

/**
 * Makes every link and navigation contain the selection, unless it names another selection. This is done once for all pages, so that a link
 * opened in a new tab or sent to another user always shows the same school.
 */
export function nameSelectionInLinks(router: DataRouter): void {
  const { createHref, navigate } = router
  router.createHref = (location) => withSelection(createHref(location))
  router.navigate = (to: number | To | null, options?: RouterNavigateOptions) => {
    if (typeof to === 'number') return navigate(to)
    if (to === null) return navigate(to, options)
    if (typeof to === 'string') return navigate(withSelection(to), options)
    return navigate({ ...to, search: withSelection(to.search ?? '') }, options)
  }
}
