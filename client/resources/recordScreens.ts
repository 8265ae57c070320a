import { IconTable } from '@tabler/icons-react'
import { requestType } from '../../domain/lookups/lookupIds.ts'
import { listViewPermissions, type Permission } from '../../domain/people/permissions.ts'
import type { AnyResourceName } from '../../domain/resources/all.ts'
import { lazyPage, type Screen, type SubPage } from '../shell/screens/screen.ts'

const listPage = lazyPage(() => import('./list/ListPage.tsx'), 'ListPage')
const editPage = lazyPage(() => import('./record/EditPage.tsx'), 'EditPage')
const below: Record<Child, SubPage> = {
  add: { path: 'add', page: editPage },
  bulk: { path: 'bulk', page: lazyPage(() => import('./list/BulkEditPage.tsx'), 'BulkEditPage') },
  ':id': { path: ':id', page: editPage },
}
type Child = 'add' | 'bulk' | ':id'

/** Declares the pages of an entity: its list and the pages below it. */
export function createRecordPages(children: readonly Child[]): Pick<Screen, 'page' | 'subPages'> {
  return { page: listPage, subPages: children.map((child) => below[child]) }
}

const defaultChildren: readonly Child[] = ['add', ':id']

/** The settings of a screen that its area does not determine. */
type ScreenDeclaration = Partial<Screen> &
  Pick<Screen, 'path' | 'title' | 'icon'> & { resource: AnyResourceName; children?: readonly Child[] }

/** Declares a console screen for an entity. */
export function createConsoleScreen({
  path,
  feature,
  children = defaultChildren,
  ...screen
}: ScreenDeclaration & { section: string; feature: Parameters<typeof listViewPermissions>[0] }): Screen {
  return {
    path: `/console/${path}`,
    area: 'Console',
    view: listViewPermissions(feature),
    edit: [`${feature}ReadUpdate`],
    needs: 'organisation',
    ...createRecordPages(children),
    ...screen,
  }
}

/** Declares a screen of the administrator area for an entity. */
export function createAdministratorScreen({ path, children = defaultChildren, ...screen }: ScreenDeclaration): Screen {
  return {
    path: `/administrator/${path}`,
    area: 'Administrator',
    view: 'administrator',
    edit: 'administrator',
    needs: 'nothing',
    ...createRecordPages(children),
    ...screen,
  }
}

/** Declares a screen with a read-only list of national data. */
export function createNationalTableScreen({
  path,
  text,
  resource,
  permission,
  tableType,
}: {
  path: string
  text: string
  resource: AnyResourceName
  permission: Permission
  tableType: number
}): Screen {
  return {
    path: `/console/admin-tables/${path}`,
    title: { text },
    area: 'Console',
    section: 'Admin tables',
    icon: IconTable,
    view: [permission],
    edit: 'nobody',
    needs: 'organisation',
    ...createRecordPages([]),
    resource,
    tableTypes: [tableType],
    requestType: requestType.national,
  }
}
