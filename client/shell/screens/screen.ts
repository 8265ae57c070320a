import type { ComponentType, LazyExoticComponent } from 'react'
import type { FilterItem } from '../../../domain/lists/lists.ts'
import type { Permission } from '../../../domain/people/permissions.ts'
import type { DeclaredName } from '../../../domain/resources/all.ts'
import type { Operation } from '../../../domain/resources/resource.ts'
import type { Term, TermKey } from '../../../domain/words/terms.ts'
import { lazyPart } from '../loadPart.ts'

/** What stands on an address: read when it is first opened, or a moment before, when somebody points at the way to it. */
export interface Page {
  Component: LazyExoticComponent<ComponentType<{ screen: Screen }>>
  /** Reads the page, and has it ask for what it will show there. */
  preload: (screen: Screen) => void
}

/** A page below a screen, as `:id` or `add`; it may only be opened by people who may save there, or else by readers too. */
export interface PageBelow {
  path: string
  page: Page
  forReaders?: boolean
}

/** A screen that a menu leads to: where it is, what it is called, who may open it, who may change what it shows, and what stands on it. */
export interface Screen {
  path: string
  /** A term of the organisation, or fixed words; `singular` is what one of its records is called, where that is not the entity's term. */
  title: TermKey | { text: string; singular?: string }
  area: 'Overview' | 'Staffing' | 'Non-staffing' | 'Payroll' | 'Monitoring' | 'Reports' | 'Console' | 'Administrator'
  section?: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  view: readonly Permission[] | 'administrator'
  edit: readonly Permission[] | 'administrator' | 'nobody'
  needs: 'budget' | 'preferences' | 'nothing'
  page: Page
  below?: readonly PageBelow[]
  /** For screens made from a declaration: which one, its own set of calls or all, and what it is limited to. */
  resource?: DeclaredName
  own?: boolean
  /** Rows of admin tables of these types, with a picker of the table. */
  tableTypes?: readonly number[]
  /** Only national rows, or only the organisation's own. */
  requestType?: 1 | 2
  /** Calls that its people may not make there, though the entity has them. */
  without?: readonly Operation[]
  /** Fields its people neither see nor change. */
  hide?: readonly string[]
  /** Filters a fresh list begins with; people may take them off. */
  startFilters?: readonly FilterItem[]
  /** Values of fields that the screen fixes. */
  fixed?: Record<string, number>
}

/**
 * The component of a page. Its `prepare` asks for what the page shows first, so that the answer is there when the page is. It belongs to the
 * component because a file that exported anything else would reload the whole product whenever somebody changes it (`npm run dev`).
 */
type PageComponent = ComponentType<{ screen: Screen }> & { prepare?: (screen: Screen) => void }

/**
 * A page whose file is read when the page is first opened.
 * @param load reads the file
 * @param name what the file calls the page
 */
export function lazyPage<N extends string>(load: () => Promise<{ [K in N]: PageComponent }>, name: N): Page {
  return {
    Component: lazyPart<N, { screen: Screen }>(load, name),
    preload: (screen) =>
      void load()
        .then((file) => file[name].prepare?.(screen))
        .catch(() => undefined),
  }
}

/** The title of the document on a page below a screen (behaviour B-029). @param term the organisation's words for its records */
export function titleBelow(verb: 'Add' | 'Edit' | 'Bulk Edit', { title, area }: Screen, term: Term): string {
  return `${verb} - ${(typeof title === 'object' && title.singular) || term.singular} - ${area}`
}

/** Whether a screen has such a page below it. */
export function hasBelow({ below = [] }: Screen, path: 'add' | 'bulk' | ':id'): boolean {
  return below.some((one) => one.path === path)
}

/** Makes a page below a screen ready, where it has one. */
export function preloadBelow(screen: Screen, path: 'add' | ':id' | ':id/cost'): void {
  screen.below?.find((one) => one.path === path)?.page.preload(screen)
}
