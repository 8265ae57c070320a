import type { ComponentType, LazyExoticComponent } from 'react'
import type { FilterItem } from '../../../domain/lists/lists.ts'
import type { Permission } from '../../../domain/people/permissions.ts'
import type { AnyResourceName } from '../../../domain/resources/all.ts'
import type { ResourceOperation } from '../../../domain/resources/resource.ts'
import type { Term, TermKey } from '../../../domain/words/terms.ts'
import { lazyComponent } from '../lazyComponent.ts'

/** A page whose code loads when it is first opened, or when the pointer hovers over a link to it. */
export interface LazyPage {
  Component: LazyExoticComponent<ComponentType<{ screen: Screen }>>
  /** Loads the page's code and prefetches its data. */
  preload: (screen: Screen) => void
}

/** A page below a screen, such as `:id` or `add`. It requires the permission to edit, unless `forReaders` is set. */
export interface SubPage {
  path: string
  page: LazyPage
  forReaders?: boolean
}

/** A screen in the menu: URL, title, who can open it, who can edit in it, and its page. */
export interface Screen {
  path: string
  /**
   * A term of the organisation, or fixed text. `singular` is the name of one record on this screen if it differs from the entity's term.
   */
  title: TermKey | { text: string; singular?: string }
  area: 'Overview' | 'Staffing' | 'Non-staffing' | 'Payroll' | 'Monitoring' | 'Reports' | 'Console' | 'Administrator'
  section?: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  view: readonly Permission[] | 'administrator'
  edit: readonly Permission[] | 'administrator' | 'nobody'
  /** What has to be selected. Console screens do not concern a single location, so they need only an organisation. */
  needs: 'budget' | 'organisation' | 'nothing'
  page: LazyPage
  subPages?: readonly SubPage[]
  /**
   * The resource, for a screen that is generated from a declaration. `own`: whether to use the organisation's own set of calls. The
   * properties after it restrict the screen.
   */
  resource?: AnyResourceName
  own?: boolean
  /** Types of national tables that the screen shows, with a picker for the table. */
  tableTypes?: readonly number[]
  /** 1: only national rows. 2: only rows of the organisation. */
  requestType?: 1 | 2
  /** Operations that the entity has but this screen does not offer. */
  without?: readonly ResourceOperation[]
  /** Fields that this screen hides. */
  hide?: readonly string[]
  /** Initial filters, which the user can remove. */
  startFilters?: readonly FilterItem[]
  /** Field values that the screen fixes. */
  fixed?: Record<string, number>
}

/**
 * A page component. Its static `prepare` prefetches the page's data. The function is a property of the component because a file with any
 * other export cannot be hot-reloaded and would reload the whole product (`npm run dev`).
 */
type PageComponent = ComponentType<{ screen: Screen }> & { prepare?: (screen: Screen) => void }

const readDialogs = () => import('../../ui/dialogs/Dialog.tsx')

/**
 * Declares a page whose code loads when it is first opened, together with the code of the dialogs that it may show.
 * @param load imports the file
 * @param name the name under which the file exports the page
 */
export function lazyPage<N extends string>(load: () => Promise<{ [K in N]: PageComponent }>, name: N): LazyPage {
  return {
    Component: lazyComponent<N, { screen: Screen }>(() => Promise.all([load(), readDialogs()]).then(([file]) => file), name),
    preload: (screen) =>
      void load()
        .then((file) => file[name].prepare?.(screen))
        .catch(() => undefined),
  }
}

/**
 * Creates the document title of a page below a screen (behaviour B-029).
 * @param term the organisation's term for the records
 */
export function createSubPageTitle(verb: 'Add' | 'Edit' | 'Bulk Edit', { title, area }: Screen, term: Term): string {
  return `${verb} - ${(typeof title === 'object' && title.singular) || term.singular} - ${area}`
}

export function hasSubPage({ subPages: below = [] }: Screen, path: 'add' | 'bulk' | ':id'): boolean {
  return below.some((one) => one.path === path)
}

/** Prefetches a page below a screen if the screen has this page. */
export function preloadSubPage(screen: Screen, path: 'add' | ':id' | ':id/cost'): void {
  screen.subPages?.find((one) => one.path === path)?.page.preload(screen)
}
