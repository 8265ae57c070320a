import { IconTable } from '@tabler/icons-react'
import { requestType } from '../../domain/lookupIds.ts'
import { either, type Permission } from '../../domain/permissions.ts'
import type { DeclaredName } from '../../domain/resources/all.ts'
import { lazyPage, type PageBelow, type Screen } from '../shell/screen.ts'

const list = lazyPage(() => import('./list/ListPage.tsx'), 'ListPage')
const record = lazyPage(() => import('./record/EditPage.tsx'), 'EditPage')
const below: Record<Child, PageBelow> = {
  add: { path: 'add', page: record },
  bulk: { path: 'bulk', page: lazyPage(() => import('./list/BulkPage.tsx'), 'BulkPage') },
  ':id': { path: ':id', page: record },
}
type Child = 'add' | 'bulk' | ':id'

/** What stands on the screens of a declared entity: its list, and the pages below it. */
export function recordPages(children: readonly Child[]): Pick<Screen, 'page' | 'below'> {
  return { page: list, below: children.map((child) => below[child]) }
}

const usual: readonly Child[] = ['add', ':id']

/** A screen of the console, made from a declaration. */
export function consoleScreen(
  section: string,
  path: string,
  resource: DeclaredName,
  title: Screen['title'],
  icon: Screen['icon'],
  feature: Parameters<typeof either>[0],
  children: readonly Child[] = usual,
  more: Partial<Screen> = {},
): Screen {
  return {
    path: `/console/${path}`,
    title,
    area: 'Console',
    section,
    icon,
    view: either(feature),
    edit: [`${feature}ReadUpdate`] as Permission[],
    needs: 'preferences',
    ...recordPages(children),
    resource,
    ...more,
  }
}

/** A screen of the administrator area, made from a declaration. */
export function administratorScreen(
  path: string,
  resource: DeclaredName,
  title: Screen['title'],
  icon: Screen['icon'],
  children: readonly Child[] = usual,
  more: Partial<Screen> = {},
): Screen {
  return {
    path: `/administrator/${path}`,
    title,
    area: 'Administrator',
    icon,
    view: 'administrator',
    edit: 'administrator',
    needs: 'nothing',
    ...recordPages(children),
    resource,
    ...more,
  }
}

/** A read-only list of national data. */
export function nationalTableScreen(path: string, text: string, resource: DeclaredName, permission: Permission, tableType: number): Screen {
  return {
    path: `/console/admin-tables/${path}`,
    title: { text },
    area: 'Console',
    section: 'Admin tables',
    icon: IconTable,
    view: [permission],
    edit: 'nobody',
    needs: 'preferences',
    ...recordPages([]),
    resource,
    tableTypes: [tableType],
    requestType: requestType.national,
  }
}
