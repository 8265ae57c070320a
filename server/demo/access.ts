import { allPermissions, listViewPermissions, type Permission } from '../../domain/people/permissions.ts'

/** Permissions that reveal individual pay: contracts and payroll. */
const individualPayPermissions: readonly Permission[] = ['BudgetingStaffingRead', 'BudgetingPayrollReconciliationRead']

export const userGroupsToLoad: { name: string; permissions: Permission[] }[] = [
  { name: 'Trust finance', permissions: allPermissions },
  {
    name: 'School business manager',
    permissions: [
      ...allPermissions.filter((name) => name.startsWith('Budgeting')),
      ...listViewPermissions('ConsoleBudgetCodes', 'ConsoleCostCentres', 'ConsoleFundCodes', 'ConsoleAnalysisTags'),
      'ConsoleContractTypesRead',
      'ConsoleServiceTermsRead',
      'ConsoleAllowancesRead',
      'ConsoleStaffMembersRead',
      'ConsoleStaffMembersReadUpdate',
      'ConsoleBudgetGroupRead',
      'ConsoleTeacherPayScalesAdminTableRead',
      'ConsoleSupportPayScalesAdminTableRead',
    ],
  },
  {
    name: 'Governor',
    // A governor sees staff costs but not individual pay.
    permissions: allPermissions.filter(
      (name) => name.startsWith('Budgeting') && name.endsWith('Read') && !individualPayPermissions.includes(name),
    ),
  },
  { name: 'Auditor', permissions: allPermissions.filter((name) => name.endsWith('Read')) },
  { name: 'Integration', permissions: allPermissions.filter((name) => name !== 'ConsoleUsersReadUpdate') },
]

export const demoPassword = 'Harbour-demo-26'

export interface DemoUser {
  email: string
  forename: string
  surname: string
  position: string
  isAdministrator: boolean
  group: string | null
  trust: 'harbour' | 'meadow' | null
  /** The alias of the one school the user is limited to; null for all. */
  school: string | null
}

export const demoUsers: DemoUser[] = [
  {
    email: 'admin@bursar.example',
    forename: 'Alex',
    surname: 'Grant',
    position: 'Administrator',
    isAdministrator: true,
    group: null,
    trust: null,
    school: null,
  },
  {
    email: 'finance@harbour.example',
    forename: 'Ruth',
    surname: 'Mensah',
    position: 'Trust finance lead',
    isAdministrator: false,
    group: 'Trust finance',
    trust: 'harbour',
    school: null,
  },
  {
    email: 'northgate@harbour.example',
    forename: 'Sam',
    surname: 'Turner',
    position: 'School business manager',
    isAdministrator: false,
    group: 'School business manager',
    trust: 'harbour',
    school: 'Northgate',
  },
  {
    email: 'governor@harbour.example',
    forename: 'Grace',
    surname: 'Hall',
    position: 'Governor',
    isAdministrator: false,
    group: 'Governor',
    trust: 'harbour',
    school: 'Northgate',
  },
  {
    email: 'auditor@harbour.example',
    forename: 'Noor',
    surname: 'Ali',
    position: 'Auditor',
    isAdministrator: false,
    group: 'Auditor',
    trust: 'harbour',
    school: null,
  },
  {
    email: 'finance@meadow.example',
    forename: 'Kit',
    surname: 'Doyle',
    position: 'Finance lead',
    isAdministrator: false,
    group: 'Trust finance',
    trust: 'meadow',
    school: null,
  },
]

/** API clients of the demo. Their secrets are public; the secret of a real client is generated. */
export const demoClients = [
  { clientId: 'harbour-payroll', secret: 'harbour-payroll-demo-secret', name: 'Harbour payroll', trust: 'harbour' as const },
  { clientId: 'meadow-payroll', secret: 'meadow-payroll-demo-secret', name: 'Meadow payroll', trust: 'meadow' as const },
]
