import type { BudgetId, LocationId, OrganisationId } from './ids.ts'

/** The organisation, location and budget that a URL selects. A location needs an organisation, and a budget needs a location. */
interface NamedSelection {
  organisationId: OrganisationId | null
  locationId: LocationId | null
  budgetId: BudgetId | null
}

/** Whether a parameter of a query string belongs to the selection. */
const isSelectionPart = (part: string): boolean => /^[olb]=/.test(part)

/** Formats a selection for a URL: `o=1&l=2&b=…`. Empty if no organisation is selected. */
export function formatSelection({ organisationId, locationId, budgetId }: NamedSelection): string {
  const parts = [organisationId && `o=${organisationId}`, locationId && `l=${locationId}`, budgetId && `b=${budgetId}`]
  return parts.filter(Boolean).join('&')
}

/**
 * Adds a selection to a URL and removes any selection that it already has.
 * @param to a path, or only a query string or fragment
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

/** Returns the part of a query string that is a selection, unchanged; empty if no organisation is selected. */
export function findSelection(search: string): string {
  const parts = search.replace(/^\?/, '').split('&').filter(isSelectionPart)
  return parts.some((part) => part.startsWith('o=')) ? parts.join('&') : ''
}
