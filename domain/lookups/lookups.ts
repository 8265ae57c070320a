import { fundingCategories } from '../calculation/nonStaffing/fundingCategories.ts'
import { allPermissions, permissionIds } from '../people/permissions.ts'
import {
  actualType,
  adminTableType,
  bfrCodeType,
  budgetCodeCategory,
  budgetCodeType,
  budgetState,
  calculationType,
  communicationState,
  employerPension,
  financialCodeType,
  fundingPhase,
  gagPoolMethod,
  gagPoolShare,
  importType,
  inflationSetting,
  monitoringNoteType,
  openingBalanceType,
  organisationType,
  payScaleRegion,
  payScaleType,
  recalculationState,
  reminderType,
  requestType,
  severity,
  topSliceMethod,
  versionType,
} from './lookupIds.ts'

/** An item of a fixed list, with its id in the API (`GET /api/Application/types`). */
export interface LookupItem {
  id: number
  name: string
}

export const lookups = {
  organisationTypes: [
    { id: organisationType.multiAcademyTrust, name: 'Multi-academy trust' },
    { id: organisationType.singleAcademyTrust, name: 'Single-academy trust' },
    { id: organisationType.localAuthority, name: 'Local authority' },
    { id: organisationType.maintainedSchool, name: 'Maintained school' },
  ],
  /** The purposes of a budget. */
  budgetVersionTypes: [
    { id: versionType.working, name: 'Working' },
    { id: versionType.approved, name: 'Approved' },
    { id: versionType.forecast, name: 'Forecast' },
    { id: versionType.whatIf, name: 'What-if' },
  ],
  referenceVersionTypes: [
    { id: 1, name: 'Provisional' },
    { id: 2, name: 'Final' },
  ],
  financialCodeTypes: [
    { id: financialCodeType.cfr, name: 'CFR' },
    { id: financialCodeType.gag, name: 'GAG' },
    { id: financialCodeType.acoa, name: 'ACOA' },
    { id: financialCodeType.custom, name: 'Custom' },
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
    { id: budgetCodeType.income, name: 'Income' },
    { id: budgetCodeType.expenditure, name: 'Expenditure' },
  ],
  budgetCodeCategories: [
    { id: budgetCodeCategory.staffing, name: 'Staffing' },
    { id: budgetCodeCategory.nonStaffing, name: 'Non-staffing' },
    { id: budgetCodeCategory.capital, name: 'Capital' },
    { id: budgetCodeCategory.balance, name: 'Balance' },
  ],
  bfrCodeTypes: [
    { id: bfrCodeType.main, name: 'Main/primary' },
    { id: bfrCodeType.secondary, name: 'Secondary' },
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
    { id: payScaleRegion.main, name: 'Main' },
    { id: payScaleRegion.innerLondon, name: 'Inner London' },
    { id: payScaleRegion.outerLondon, name: 'Outer London' },
    { id: payScaleRegion.londonFringe, name: 'London fringe' },
  ],
  payScaleTypes: [
    { id: payScaleType.teacher, name: 'Teacher' },
    { id: payScaleType.customTeacher, name: 'Custom teacher' },
    { id: payScaleType.support, name: 'Support' },
    { id: payScaleType.customSupport, name: 'Custom support' },
  ],
  localAuthorityFundingRateCategories: fundingCategories.map(({ id, name }) => ({ id, name })),
  communicationSeverities: [
    { id: severity.information, name: 'Information' },
    { id: severity.success, name: 'Success' },
    { id: severity.warning, name: 'Warning' },
    { id: severity.critical, name: 'Critical' },
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
    { id: openingBalanceType.revenue, name: 'Revenue' },
    { id: openingBalanceType.capital, name: 'Capital' },
    { id: openingBalanceType.extended, name: 'Extended' },
  ],
  calculationTypes: [
    { id: calculationType.fte, name: 'FTE' },
    { id: calculationType.hoursAndWeeks, name: 'Hours and weeks' },
    { id: calculationType.hourly, name: 'Hourly' },
  ],
  payrollReconciliationClearOptions: [
    { id: 1, name: 'Actuals' },
    { id: 2, name: 'Notes' },
    { id: 3, name: 'Carried forward amounts' },
    { id: 4, name: 'Everything' },
  ],
  importTypes: [
    { id: importType.replace, name: 'Replace the month' },
    { id: importType.add, name: 'Add to the month' },
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
    { id: adminTableType.teacherPayScales, name: 'TeacherPayScales' },
    { id: adminTableType.supportPayScales, name: 'SupportPayScales' },
    { id: adminTableType.nationalInsurance, name: 'NationalInsurance' },
    { id: adminTableType.extendedLeave, name: 'ExtendedLeave' },
    { id: adminTableType.fundingRates, name: 'LAFundingRates' },
    { id: adminTableType.allowances, name: 'Allowances' },
    { id: adminTableType.topSlice, name: 'TopSlice' },
  ],
  employerPensionCalculations: [
    { id: employerPension.none, name: 'None' },
    { id: employerPension.onPayReceived, name: 'On pay received' },
    { id: employerPension.onNormalPay, name: 'On normal pay' },
  ],
  requestTypes: [
    { id: requestType.unknown, name: 'Unknown' },
    { id: requestType.own, name: 'By organisation' },
    { id: requestType.national, name: 'Global only' },
    { id: requestType.both, name: 'Both' },
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
    { id: payScaleType.teacher, name: 'Teacher' },
    { id: payScaleType.customTeacher, name: 'Custom teacher' },
    { id: payScaleType.support, name: 'Support' },
    { id: payScaleType.customSupport, name: 'Custom support' },
  ],
  inflationSettings: [
    { id: inflationSetting.none, name: 'None' },
    { id: inflationSetting.staffInflation, name: 'Staff inflation' },
  ],
  reminderTypes: [
    { id: reminderType.personal, name: 'Personal' },
    { id: reminderType.organisation, name: 'Organisation' },
    { id: reminderType.everyone, name: 'Everyone' },
  ],
  reminderCategories: [
    { id: 1, name: 'General' },
    { id: 2, name: 'Staff member' },
    { id: 3, name: 'Staff contract' },
    { id: 4, name: 'Budget entry' },
    { id: 5, name: 'Deadline' },
  ],
  monitoringNoteTypes: [
    { id: monitoringNoteType.versusActuals, name: 'Budget versus actuals' },
    { id: monitoringNoteType.versusForecast, name: 'Budget versus forecast' },
  ],
  actualTypes: [
    { id: actualType.actual, name: 'Actual' },
    { id: actualType.commitment, name: 'Commitment' },
  ],
  gagPoolMethods: [
    { id: gagPoolMethod.percentage, name: 'Percentage of GAG income' },
    { id: gagPoolMethod.all, name: 'All GAG income' },
  ],
  gagPoolShares: [
    { id: gagPoolShare.byPupils, name: 'By pupil numbers' },
    { id: gagPoolShare.byWeights, name: 'By typed weights' },
  ],
  topSliceMethods: [
    { id: topSliceMethod.percentage, name: 'Percentage of income' },
    { id: topSliceMethod.perPupil, name: 'Amount per pupil' },
    { id: topSliceMethod.fixed, name: 'Fixed amount' },
  ],
  budgetStates: [
    { id: budgetState.open, name: 'Open' },
    { id: budgetState.locked, name: 'Locked' },
  ],
  payrollMonthStates: [
    { id: 1, name: 'Open' },
    { id: 2, name: 'Complete' },
  ],
  recalculationStates: [
    { id: recalculationState.upToDate, name: 'Up to date' },
    { id: recalculationState.required, name: 'Required' },
    { id: recalculationState.running, name: 'Running' },
    { id: recalculationState.failed, name: 'Failed' },
  ],
  communicationStates: [
    { id: communicationState.off, name: 'Off' },
    { id: communicationState.scheduled, name: 'Scheduled' },
    { id: communicationState.showing, name: 'Showing' },
    { id: communicationState.expired, name: 'Expired' },
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
    { id: fundingPhase.earlyYears, name: 'Early years' },
    { id: fundingPhase.primary, name: 'Primary' },
    { id: fundingPhase.keyStage3, name: 'Key stage 3' },
    { id: fundingPhase.keyStage4, name: 'Key stage 4' },
    { id: fundingPhase.sixthForm, name: 'Sixth form' },
    { id: fundingPhase.highNeeds, name: 'High needs' },
  ],
  permissions: allPermissions.map((name): LookupItem => ({ id: permissionIds[name], name })),
} satisfies Record<string, LookupItem[]>

export type LookupName = keyof typeof lookups

/** Lists the values of a fixed list for the API description: `1 Income, 2 Expenditure`. */
export function describeLookup(name: LookupName): string {
  return lookups[name].map((item) => `${item.id} ${item.name}`).join(', ')
}

/** The lists that `GET /api/Application/types` returns, apart from benchmarking groups and permissions. */
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

/** The name of an item; undefined if the list does not have the id. */
export function getLookupName(list: LookupName, id: number): string | undefined {
  return lookups[list].find((item) => item.id === id)?.name
}
