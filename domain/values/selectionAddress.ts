import type { BudgetId, LocationId, OrganisationId } from './ids.ts'

/** The organisation, location and budget that an address names. Each may be null only if those after it are too. */
interface NamedSelection {
  organisationId: OrganisationId | null
  locationId: LocationId | null
  budgetId: BudgetId | null
}

/** Whether a part of a search string belongs to the selection. */
const isSelectionPart = (part: string): boolean => /^[olb]=/.test(part)

/** Formats a selection for an address: `o=1&l=2&b=…`. Empty if no organisation is selected. */
export function formatSelection({ organisationId, locationId, budgetId }: NamedSelection): string {
  const parts = [organisationId && `o=${organisationId}`, locationId && `l=${locationId}`, budgetId && `b=${budgetId}`]
  return parts.filter(Boolean).join('&')
}

/**
 * Adds a selection to an address, in place of any selection that the address already has.
 * @param to a path, or only a search string or fragment
 * @param selection as `formatSelection` writes it
 */
export function addSelection(to: string, selection: string): string {
  const [, path = '', search = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? []
  const others = search
    .slice(1)
    .split('&')
    .filter((part) => part && !isSelectionPart(part))
  const parts = [...others, selection].filter(Boolean).join('&')
  return `${path}${parts && `?${parts}`}${fragment}`
}

/** The part of a search string that names a selection, unchanged; empty if it names no organisation. */
export function findSelection(search: string): string {
  const parts = search.replace(/^\?/, '').split('&').filter(isSelectionPart)
  return parts.some((part) => part.startsWith('o=')) ? parts.join('&') : ''
}
