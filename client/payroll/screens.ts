import { IconFileDollar, IconReceipt2 } from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const reconciliation = {
  title: { text: 'Payroll reconciliation' },
  icon: IconReceipt2,
  page: lazyPage(() => import('./PayrollPage.tsx'), 'PayrollPage'),
}

export const payrollScreens: Screen[] = [
  {
    ...reconciliation,
    path: '/payroll/reconciliation',
    area: 'Payroll',
    view: listViewPermissions('BudgetingPayrollReconciliation'),
    edit: ['BudgetingPayrollReconciliationReadUpdate'],
    needs: 'budget',
  },
]

export const payrollConsoleScreens: Screen[] = [
  {
    ...reconciliation,
    path: '/console/payroll/reconciliation',
    area: 'Console',
    section: 'Payroll',
    view: listViewPermissions('ConsolePayrollReconciliation'),
    edit: ['ConsolePayrollReconciliationReadUpdate'],
    needs: 'organisation',
  },
  {
    path: '/console/payroll/providers',
    title: { text: 'Payroll providers' },
    icon: IconFileDollar,
    area: 'Console',
    section: 'Payroll',
    view: ['ConsolePayrollReconciliationReadUpdate'],
    edit: ['ConsolePayrollReconciliationReadUpdate'],
    needs: 'organisation',
    page: lazyPage(() => import('./provider/ProvidersPage.tsx'), 'ProvidersPage'),
  },
]
