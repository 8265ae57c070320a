import { IconTable } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { FilterItem } from '../../domain/lists.ts'
import { either, type Permission } from '../../domain/permissions.ts'
import type { DeclaredName } from '../../domain/resources/all.ts'
import type { Operation } from '../../domain/resources/resource.ts'
import type { TermKey } from '../../domain/terms.ts'

/** A screen that a menu leads to: who may open it, who may change what it shows, and what must be selected. */
export interface Screen {
  path: string
  /** A term of the organisation, or fixed words. */
  title: TermKey | { text: string }
  area: 'Overview' | 'Staffing' | 'Non-staffing' | 'Console' | 'Administrator'
  section?: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  view: readonly Permission[] | 'administrator'
  edit: readonly Permission[] | 'administrator' | 'nobody'
  needs: 'budget' | 'preferences' | 'nothing'
  /** For screens made from a declaration: which one, its own set of calls or all, its children, and what it is limited to. */
  resource?: DeclaredName
  own?: boolean
  children?: ('add' | 'bulk' | ':id')[]
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

export const all = ['add', ':id'] as const

/** A screen of the console, made from a declaration. */
export function console_(
  section: string,
  path: string,
  resource: DeclaredName,
  title: Screen['title'],
  icon: Screen['icon'],
  feature: Parameters<typeof either>[0],
  children: Screen['children'] = [...all],
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
    resource,
    children,
    ...more,
  }
}

/** A screen of the staffing area that is made by hand; most are for reading only. */
export function staffing(path: string, title: Screen['title'], icon: Screen['icon'], isEdited = false): Screen {
  return {
    path: `/staffing/${path}`,
    title,
    area: 'Staffing',
    icon,
    view: either('BudgetingStaffing'),
    edit: isEdited ? ['BudgetingStaffingReadUpdate'] : 'nobody',
    needs: 'budget',
  }
}

/** A screen of the non-staffing area, made by hand; the rates are for reading only. */
export function nonStaffing(path: string, title: Screen['title'], icon: Screen['icon'], isEdited = true): Screen {
  return {
    path: `/non-staffing/${path}`,
    title,
    area: 'Non-staffing',
    icon,
    view: either('BudgetingNonStaffing'),
    edit: isEdited ? ['BudgetingNonStaffingReadUpdate'] : 'nobody',
    needs: 'budget',
  }
}

/** A screen of the overview area, made by hand. */
export function overview(path: string, title: Screen['title'], icon: Screen['icon'], isEdited = false): Screen {
  return {
    path: `/overview/${path}`,
    title,
    area: 'Overview',
    icon,
    view: either('BudgetingOverview'),
    edit: isEdited ? ['BudgetingOverviewReadUpdate'] : 'nobody',
    needs: 'budget',
  }
}

/** A list of the income and expenditure section that is edited in place, on a page of its own. */
export function inlineList(path: string, title: TermKey, icon: Screen['icon'], feature: Parameters<typeof either>[0]): Screen {
  return {
    path: `/console/income-and-expenditure/${path}`,
    title,
    area: 'Console',
    section: 'Income and expenditure',
    icon,
    view: either(feature),
    edit: [`${feature}ReadUpdate`] as Permission[],
    needs: 'preferences',
  }
}

/** A screen of the administrator area, made from a declaration. */
export function administrator(
  path: string,
  resource: DeclaredName,
  title: Screen['title'],
  icon: Screen['icon'],
  children: Screen['children'] = [...all],
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
    resource,
    children,
    ...more,
  }
}

/** A read-only list of national data. */
export function table(path: string, text: string, resource: DeclaredName, permission: Permission, tableType: number): Screen {
  return {
    path: `/console/admin-tables/${path}`,
    title: { text },
    area: 'Console',
    section: 'Admin tables',
    icon: IconTable,
    view: [permission],
    edit: 'nobody',
    needs: 'preferences',
    resource,
    children: [],
    tableTypes: [tableType],
    requestType: resource === 'payScalePoint' ? 2 : undefined,
  }
}
