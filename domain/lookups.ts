import { fundingCategories } from './calculation/fundingCategories.ts'
import { allPermissions, permissionIds } from './permissions.ts'

/** Lists of fixed values, by the name and with the ids that the API uses (`GET /api/Application/types`). */
export interface LookupItem {
  id: number
  name: string
}

export const lookups = {
  organisationTypes: [
    { id: 1, name: 'Multi-academy trust' },
    { id: 2, name: 'Single-academy trust' },
    { id: 3, name: 'Local authority' },
    { id: 4, name: 'Maintained school' },
  ],
  referenceVersionTypes: [
    { id: 1, name: 'Provisional' },
    { id: 2, name: 'Final' },
  ],
  financialCodeTypes: [
    { id: 1, name: 'CFR' },
    { id: 2, name: 'GAG' },
    { id: 3, name: 'ACOA' },
    { id: 4, name: 'Custom' },
  ],
  financialCodeCategories: [
    { id: 1, name: 'Income' },
    { id: 2, name: 'Expenditure' },
    { id: 3, name: 'Capital income' },
    { id: 4, name: 'Capital expenditure' },
    { id: 5, name: 'Balance' },
  ],
  currencies: [{ id: 1, name: 'Pound sterling' }],
  budgetCodeTypes: [
    { id: 1, name: 'Income' },
    { id: 2, name: 'Expenditure' },
  ],
  budgetCodeCategories: [
    { id: 1, name: 'Staffing' },
    { id: 2, name: 'Non-staffing' },
    { id: 3, name: 'Capital' },
    { id: 4, name: 'Balance' },
  ],
  bfrCodeTypes: [
    { id: 1, name: 'Main/primary' },
    { id: 2, name: 'Secondary' },
  ],
  payrollCodeTypes: [
    { id: 1, name: 'Payment' },
    { id: 2, name: 'Deduction' },
    { id: 3, name: 'Employer cost' },
  ],
  payrollElementTypes: [
    { id: 1, name: 'Basic' },
    { id: 2, name: 'Allowance' },
    { id: 3, name: 'Employer NI' },
    { id: 4, name: 'Employer pension' },
    { id: 5, name: 'Extended leave' },
    { id: 6, name: 'Apprenticeship levy' },
    { id: 7, name: 'Other' },
  ],
  payScaleRegions: [
    { id: 1, name: 'Main' },
    { id: 2, name: 'Inner London' },
    { id: 3, name: 'Outer London' },
    { id: 4, name: 'London fringe' },
  ],
  payScaleTypes: [
    { id: 1, name: 'Teacher' },
    { id: 2, name: 'Custom teacher' },
    { id: 4, name: 'Support' },
    { id: 8, name: 'Custom support' },
  ],
  localAuthorityFundingRateCategories: fundingCategories.map(({ id, name }) => ({ id, name })),
  communicationSeverities: [
    { id: 1, name: 'Information' },
    { id: 2, name: 'Success' },
    { id: 3, name: 'Warning' },
    { id: 4, name: 'Critical' },
  ],
  titles: [
    { id: 1, name: 'Mr' },
    { id: 2, name: 'Mrs' },
    { id: 3, name: 'Miss' },
    { id: 4, name: 'Ms' },
    { id: 5, name: 'Mx' },
    { id: 6, name: 'Dr' },
    { id: 7, name: 'Professor' },
    { id: 8, name: 'Reverend' },
    { id: 9, name: 'Sir' },
    { id: 10, name: 'Dame' },
    { id: 11, name: 'Other' },
  ],
  genders: [
    { id: 1, name: 'Female' },
    { id: 2, name: 'Male' },
    { id: 3, name: 'Other' },
    { id: 4, name: 'Not stated' },
  ],
  openingBalanceTypes: [
    { id: 1, name: 'Revenue' },
    { id: 2, name: 'Capital' },
    { id: 3, name: 'Extended' },
  ],
  calculationTypes: [
    { id: 1, name: 'FTE' },
    { id: 2, name: 'Hours and weeks' },
    { id: 3, name: 'Hourly' },
  ],
  payrollReconciliationClearOptions: [
    { id: 1, name: 'Actuals' },
    { id: 2, name: 'Notes' },
    { id: 3, name: 'Carried forward amounts' },
    { id: 4, name: 'Everything' },
  ],
  importTypes: [
    { id: 1, name: 'Replace the month' },
    { id: 2, name: 'Add to the month' },
  ],
  completionTypes: [
    { id: 1, name: 'Complete' },
    { id: 2, name: 'Complete and carry forward differences' },
  ],
  monitoringResponsibilityTypes: [
    { id: 1, name: 'Organisation' },
    { id: 2, name: 'Location' },
    { id: 3, name: 'Organisation and location' },
  ],
  financialIntegrationTypes: [
    { id: 0, name: 'None' },
    { id: 1, name: 'File exchange' },
    { id: 2, name: 'Web service' },
  ],
  budgetEntryTypes: [
    { id: 1, name: 'Amount' },
    { id: 2, name: 'Inflation' },
    { id: 3, name: 'Period' },
    { id: 4, name: 'Description' },
    { id: 5, name: 'Criteria' },
    { id: 6, name: 'Subtotal' },
    { id: 7, name: 'Total' },
    { id: 8, name: 'Fixed input' },
  ],
  adminTableTypes: [
    { id: 1, name: 'TeacherPayScales' },
    { id: 2, name: 'SupportPayScales' },
    { id: 3, name: 'NationalInsurance' },
    { id: 4, name: 'ExtendedLeave' },
    { id: 5, name: 'LAFundingRates' },
    { id: 6, name: 'Allowances' },
    { id: 7, name: 'TopSlice' },
  ],
  employerPensionCalculations: [
    { id: 0, name: 'None' },
    { id: 1, name: 'On pay received' },
    { id: 2, name: 'On normal pay' },
  ],
  requestTypes: [
    { id: 0, name: 'Unknown' },
    { id: 1, name: 'By organisation' },
    { id: 2, name: 'Global only' },
    { id: 3, name: 'Both' },
  ],
  months: [
    { id: 1, name: 'January' },
    { id: 2, name: 'February' },
    { id: 3, name: 'March' },
    { id: 4, name: 'April' },
    { id: 5, name: 'May' },
    { id: 6, name: 'June' },
    { id: 7, name: 'July' },
    { id: 8, name: 'August' },
    { id: 9, name: 'September' },
    { id: 10, name: 'October' },
    { id: 11, name: 'November' },
    { id: 12, name: 'December' },
  ],
  staffContractTypes: [
    { id: 1, name: 'Teacher' },
    { id: 2, name: 'Custom teacher' },
    { id: 4, name: 'Support' },
    { id: 8, name: 'Custom support' },
  ],
  inflationSettings: [
    { id: 0, name: 'None' },
    { id: 1, name: 'Staff inflation' },
  ],
  reminderTypes: [
    { id: 1, name: 'Personal' },
    { id: 2, name: 'Organisation' },
    { id: 3, name: 'Everyone' },
  ],
  reminderCategories: [
    { id: 1, name: 'General' },
    { id: 2, name: 'Staff member' },
    { id: 3, name: 'Staff contract' },
    { id: 4, name: 'Budget entry' },
    { id: 5, name: 'Deadline' },
  ],
  monitoringNoteTypes: [
    { id: 1, name: 'Budget versus actuals' },
    { id: 2, name: 'Budget versus forecast' },
  ],
  actualTypes: [
    { id: 1, name: 'Actual' },
    { id: 2, name: 'Commitment' },
  ],
  gagPoolMethods: [
    { id: 1, name: 'Percentage of GAG income' },
    { id: 2, name: 'All GAG income' },
  ],
  gagPoolShares: [
    { id: 1, name: 'By pupil numbers' },
    { id: 2, name: 'By typed weights' },
  ],
  topSliceMethods: [
    { id: 1, name: 'Percentage of income' },
    { id: 2, name: 'Amount per pupil' },
    { id: 3, name: 'Fixed amount' },
  ],
  budgetStates: [
    { id: 1, name: 'Open' },
    { id: 2, name: 'Locked' },
  ],
  payrollMonthStates: [
    { id: 1, name: 'Open' },
    { id: 2, name: 'Complete' },
  ],
  recalculationStates: [
    { id: 1, name: 'Up to date' },
    { id: 2, name: 'Required' },
    { id: 3, name: 'Running' },
    { id: 4, name: 'Failed' },
  ],
  communicationStates: [
    { id: 1, name: 'Off' },
    { id: 2, name: 'Scheduled' },
    { id: 3, name: 'Showing' },
    { id: 4, name: 'Expired' },
  ],
  integrationStates: [
    { id: 1, name: 'Not set up' },
    { id: 2, name: 'Connected' },
    { id: 3, name: 'Failing' },
  ],
  pupilYearGroups: [
    { id: 1, name: 'Nursery' },
    { id: 2, name: 'Reception' },
    { id: 3, name: 'Year 1' },
    { id: 4, name: 'Year 2' },
    { id: 5, name: 'Year 3' },
    { id: 6, name: 'Year 4' },
    { id: 7, name: 'Year 5' },
    { id: 8, name: 'Year 6' },
    { id: 9, name: 'Year 7' },
    { id: 10, name: 'Year 8' },
    { id: 11, name: 'Year 9' },
    { id: 12, name: 'Year 10' },
    { id: 13, name: 'Year 11' },
    { id: 14, name: 'Year 12' },
    { id: 15, name: 'Year 13' },
    { id: 16, name: 'High needs places' },
  ],
  pupilPhases: [
    { id: 1, name: 'Early years' },
    { id: 2, name: 'Primary' },
    { id: 3, name: 'Key stage 3' },
    { id: 4, name: 'Key stage 4' },
    { id: 5, name: 'Sixth form' },
    { id: 6, name: 'High needs' },
  ],
  permissions: allPermissions.map((name): LookupItem => ({ id: permissionIds[name], name })),
} satisfies Record<string, LookupItem[]>

export type LookupName = keyof typeof lookups

/** The lists that `GET /api/Application/types` returns; benchmarking groups and permissions are added to them. */
export const applicationTypes: LookupName[] = [
  'organisationTypes',
  'referenceVersionTypes',
  'financialCodeTypes',
  'financialCodeCategories',
  'currencies',
  'budgetCodeTypes',
  'budgetCodeCategories',
  'bfrCodeTypes',
  'payrollCodeTypes',
  'payrollElementTypes',
  'payScaleRegions',
  'payScaleTypes',
  'localAuthorityFundingRateCategories',
  'communicationSeverities',
  'titles',
  'genders',
  'openingBalanceTypes',
  'calculationTypes',
  'payrollReconciliationClearOptions',
  'importTypes',
  'completionTypes',
  'monitoringResponsibilityTypes',
  'financialIntegrationTypes',
  'budgetEntryTypes',
  'adminTableTypes',
  'employerPensionCalculations',
]

/** The name of a value, or undefined for an id the list does not have. */
export function lookupName(list: LookupName, id: number): string | undefined {
  return lookups[list].find((item) => item.id === id)?.name
}
