import { either } from '../../permissions.ts'
import { choice, date, flag, text } from '../fields.ts'
import { resource } from '../resource.ts'

const contact = { section: 'Contact' } as const
const schemes = { section: 'Codes and levy' } as const

export const organisation = resource({
  key: 'Organisation',
  table: 'organisations',
  path: 'Organisations',
  scope: 'global',
  access: { read: [], write: 'administrator' },
  own: {
    path: 'MyOrganisations',
    operations: ['list', 'get', 'update', 'export'],
    read: either('ConsoleOrganisations'),
    write: ['ConsoleOrganisationsReadUpdate'],
  },
  fields: {
    name: text('Name', { required: true, unique: true, max: 150, column: 'Name' }),
    uniqueGroupIdentifier: text('Unique group identifier', { unique: true, max: 20, column: 'UniqueGroupIdentifier' }),
    referenceNumber: text('Reference number', { max: 50, column: 'ReferenceNumber' }),
    organisationType: choice('Organisation type', { required: true, lookup: 'organisationTypes', default: 1, column: 'OrganisationType' }),
    alias: text('Alias', { max: 50, column: 'Alias' }),
    website: text('Website', { max: 300, format: 'url', column: 'Website' }),
    onBoardingDate: date('Onboarding date', { column: 'OnBoardingDate' }),
    contractExpiryDate: date('Contract expiry date', { column: 'ContractExpiryDate' }),
    reportSignatory: text('Report signatory', { max: 100, column: 'ReportSignatory' }),
    reportSignatoryGroup: text('Report signatory group', { max: 100, column: 'ReportSignatoryGroup' }),
    addressLine1: text('Address line 1', { max: 100, column: 'AddressLine1', ...contact }),
    addressLine2: text('Address line 2', { max: 100, column: 'AddressLine2', ...contact }),
    addressLine3: text('Address line 3', { max: 100, column: 'AddressLine3', ...contact }),
    addressLine4: text('Address line 4', { max: 100, column: 'AddressLine4', ...contact }),
    addressLine5: text('Address line 5', { max: 100, column: 'AddressLine5', ...contact }),
    addressCode: text('Address code', { max: 20, column: 'AddressCode', ...contact }),
    mainContactPosition: text('Main contact position', { max: 100, column: 'MainContactPosition', ...contact }),
    mainContactName: text('Main contact name', { max: 100, column: 'MainContactName', ...contact }),
    mainContactEmail: text('Main contact email', { max: 254, format: 'email', column: 'MainContactEmail', ...contact }),
    mainContactPhone: text('Main contact phone', { max: 30, column: 'MainContactPhone', ...contact }),
    alternativeContactPosition: text('Alternative contact position', { max: 100, column: 'AlternativeContactPosition', ...contact }),
    alternativeContactName: text('Alternative contact name', { max: 100, column: 'AlternativeContactName', ...contact }),
    alternativeContactEmail: text('Alternative contact email', {
      max: 254,
      format: 'email',
      column: 'AlternativeContactEmail',
      ...contact,
    }),
    alternativeContactPhone: text('Alternative contact phone', { max: 30, column: 'AlternativeContactPhone', ...contact }),
    allowWorkingForecast: flag('Allow working forecast', { default: true, column: 'AllowWorkingForecast', ...schemes }),
    costCentresMandatory: flag('Cost centres mandatory', { column: 'CostCentresMandatory', ...schemes }),
    calculateApprenticeshipLevyAutomatically: flag('Calculate apprenticeship levy automatically', {
      default: true,
      column: 'CalculateApprenticeshipLevyAutomatically',
      ...schemes,
    }),
    apprenticeshipLevyAllowanceAsPercentage: flag('Apprenticeship levy allowance as percentage', {
      column: 'ApprenticeshipLevyAllowanceAsPercentage',
      ...schemes,
    }),
    cfrEnabled: flag('CFR enabled', { column: 'CfrEnabled', ...schemes }),
    gagEnabled: flag('GAG enabled', { default: true, column: 'GagEnabled', ...schemes }),
    acoaEnabled: flag('ACOA enabled', { default: true, column: 'AcoaEnabled', ...schemes }),
    customEnabled: flag('Custom enabled', { column: 'CustomEnabled', ...schemes }),
    useCumulativeActuals: flag('Use cumulative actuals', { column: 'UseCumulativeActuals', ...schemes }),
    financialIntegrationType: choice('Financial integration type', {
      lookup: 'financialIntegrationTypes',
      default: 0,
      column: 'FinancialIntegrationType',
      ...schemes,
    }),
    monitoringResponsibilityType: choice('Monitoring responsibility type', {
      lookup: 'monitoringResponsibilityTypes',
      default: 1,
      column: 'MonitoringResponsibilityType',
      ...schemes,
    }),
  },
  defaultSort: 'name',
  grid: ['name', 'organisationType', 'alias', 'referenceNumber', 'uniqueGroupIdentifier', 'onBoardingDate', 'contractExpiryDate'],
  naming: ['name'],
  importRequired: ['Name'],
  purpose: 'The trusts and authorities that use the product.',
})
