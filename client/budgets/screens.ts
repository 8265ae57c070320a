import { IconFolders, IconStack2, IconTable } from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const menuPosition = { area: 'Console', section: 'Budgets', needs: 'organisation' } as const

const groupEditPage = lazyPage(() => import('./GroupsPage.tsx'), 'GroupEditPage')

export const budgetScreens: Screen[] = [
  {
    ...menuPosition,
    path: '/console/budget-management',
    title: 'Budget',
    icon: IconFolders,
    view: listViewPermissions('ConsoleBudgetManagement'),
    edit: ['ConsoleBudgetManagementReadUpdate'],
    page: lazyPage(() => import('./BudgetsPage.tsx'), 'BudgetsPage'),
    subPages: [
      { path: 'create', page: lazyPage(() => import('./CreateBudgetPage.tsx'), 'CreateBudgetPage') },
      { path: 'budget/:id', page: lazyPage(() => import('./EditBudgetPage.tsx'), 'EditBudgetPage') },
    ],
  },
  {
    ...menuPosition,
    path: '/console/budget-management/summary',
    title: { text: 'Settings' },
    icon: IconTable,
    view: ['ConsoleBudgetSummaryRead'],
    edit: 'nobody',
    page: lazyPage(() => import('./BudgetSettingsPage.tsx'), 'BudgetSettingsPage'),
  },
  {
    ...menuPosition,
    path: '/console/budget-management/groups',
    title: 'BudgetGroup',
    icon: IconStack2,
    view: listViewPermissions('ConsoleBudgetGroup'),
    edit: ['ConsoleBudgetGroupReadUpdate'],
    page: lazyPage(() => import('./GroupsPage.tsx'), 'GroupsPage'),
    subPages: [
      { path: 'add', page: groupEditPage },
      { path: ':id', page: groupEditPage },
    ],
  },
]
