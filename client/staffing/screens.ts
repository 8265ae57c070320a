import {
  IconBuildingBank,
  IconCalculator,
  IconCalendarEvent,
  IconChartDots,
  IconFileDollar,
  IconListCheck,
  IconPercentage,
  IconReportMoney,
  IconScale,
  IconUserCheck,
  IconUserOff,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { notArchivedFilter } from '../resources/notArchivedFilter.ts'
import { createRecordPages } from '../resources/recordScreens.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const access = { area: 'Staffing', view: listViewPermissions('BudgetingStaffing'), needs: 'budget' } as const
const readers = { ...access, edit: 'nobody' } as const
const editors = { ...access, edit: ['BudgetingStaffingReadUpdate'] } as const

const contractPage = lazyPage(() => import('./contract/ContractPage.tsx'), 'ContractPage')
const quickEditPage = lazyPage(() => import('./quick/QuickEditPage.tsx'), 'QuickCalculationEditPage')

/** Screens about the retention of personal data. */
export const leaverScreens: Screen[] = [
  {
    path: '/console/staffing/leavers',
    title: { text: 'Leavers to erase' },
    area: 'Console',
    section: 'Staffing',
    icon: IconUserOff,
    view: ['ConsoleStaffMembersReadUpdate'],
    edit: ['ConsoleStaffMembersReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./people/LeaversPage.tsx'), 'LeaversPage'),
  },
]

export const staffingScreens: Screen[] = [
  {
    ...editors,
    path: '/staffing/staff-contracts',
    title: 'StaffContract',
    icon: IconFileDollar,
    page: lazyPage(() => import('./ContractsPage.tsx'), 'ContractsPage'),
    subPages: [
      { path: 'add', page: contractPage },
      { path: ':id', page: contractPage },
      { path: ':id/cost', page: lazyPage(() => import('./costs/CostPage.tsx'), 'ContractCostPage'), forReaders: true },
    ],
  },
  {
    ...editors,
    path: '/staffing/staff-members',
    title: 'StaffMember',
    icon: IconUsers,
    ...createRecordPages(['add', ':id']),
    resource: 'staffMember',
    own: true,
    without: ['import', 'edit'],
    startFilters: notArchivedFilter,
  },
  {
    ...readers,
    path: '/staffing/changes',
    title: { text: 'Changes from HR' },
    icon: IconUserCheck,
    page: lazyPage(() => import('./changes/ChangesPage.tsx'), 'StaffChangesPage'),
  },
  {
    ...readers,
    path: '/staffing/costs',
    title: { text: 'Staffing costs' },
    icon: IconReportMoney,
    page: lazyPage(() => import('./costs/CostsPage.tsx'), 'StaffCostsPage'),
  },
  {
    ...readers,
    path: '/staffing/checks',
    title: { text: 'Checks' },
    icon: IconListCheck,
    page: lazyPage(() => import('./ChecksPage.tsx'), 'ChecksPage'),
  },
  {
    ...editors,
    path: '/staffing/quick-calculator',
    title: 'QuickCalculator',
    icon: IconCalculator,
    page: lazyPage(() => import('./quick/QuickCalculatorPage.tsx'), 'QuickCalculatorPage'),
    subPages: [
      { path: 'add', page: quickEditPage },
      { path: ':id', page: quickEditPage },
    ],
  },
  {
    ...readers,
    path: '/staffing/what-if',
    title: { text: 'Pay award what-if' },
    icon: IconChartDots,
    page: lazyPage(() => import('./WhatIfPage.tsx'), 'WhatIfPage'),
  },
  {
    ...readers,
    path: '/staffing/pay-scales',
    title: 'PayScalePoint',
    icon: IconScale,
    page: lazyPage(() => import('./tables/PayScalesPage.tsx'), 'PayScalesPage'),
  },
  {
    ...readers,
    path: '/staffing/staff-assumptions',
    title: 'StaffAssumptions',
    icon: IconPercentage,
    page: lazyPage(() => import('./tables/AssumptionsPage.tsx'), 'AssumptionsPage'),
  },
  {
    ...readers,
    path: '/staffing/national-insurance',
    title: 'NationalInsurance',
    icon: IconBuildingBank,
    page: lazyPage(() => import('./tables/RatesPages.tsx'), 'NationalInsurancePage'),
  },
  {
    ...readers,
    path: '/staffing/extended-leave-rates',
    title: 'ExtendedLeaveType',
    icon: IconCalendarEvent,
    page: lazyPage(() => import('./tables/RatesPages.tsx'), 'LeaveRatesPage'),
  },
  {
    ...readers,
    path: '/staffing/allowances',
    title: 'Allowance',
    icon: IconWallet,
    page: lazyPage(() => import('./tables/AllowancesPage.tsx'), 'AllowancesPage'),
  },
]
