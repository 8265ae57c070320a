import { IconChartPie, IconSchool, IconSlice } from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const menuPosition = { area: 'Console', section: 'Income and expenditure', needs: 'organisation' } as const

/** The screens of lists that are edited in place. */
export const incomeAndExpenditureScreens: Screen[] = [
  {
    ...menuPosition,
    path: '/console/income-and-expenditure/gag-pooling',
    title: 'GagPool',
    icon: IconChartPie,
    view: listViewPermissions('ConsoleGagPooling'),
    edit: ['ConsoleGagPoolingReadUpdate'],
    page: lazyPage(() => import('./DatedTables.tsx'), 'GagPoolingPage'),
  },
  {
    ...menuPosition,
    path: '/console/income-and-expenditure/top-slices',
    title: 'TopSlice',
    icon: IconSlice,
    view: listViewPermissions('ConsoleTopSlices'),
    edit: ['ConsoleTopSlicesReadUpdate'],
    page: lazyPage(() => import('./DatedTables.tsx'), 'TopSlicesPage'),
  },
  {
    ...menuPosition,
    path: '/console/income-and-expenditure/apprenticeship-levy',
    title: 'ApprenticeshipLevy',
    icon: IconSchool,
    view: listViewPermissions('ConsoleApprenticeshipLevy'),
    edit: ['ConsoleApprenticeshipLevyReadUpdate'],
    page: lazyPage(() => import('./LevyPage.tsx'), 'LevyPage'),
  },
]
