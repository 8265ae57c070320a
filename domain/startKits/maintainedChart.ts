import type { ChartOfAccounts, ChartRow, KitPayrollCode, StaffLine } from './kit.ts'

/** The lines are those of the DfE’s return for 2024 to 2025, without the grants of the pandemic. */
export const maintainedChartSource =
  'DfE Consistent Financial Reporting (CFR) framework. There is one budget code for each CFR line, with the same code; pay lines have three, for gross pay, NI and pension.'

/** Lines that only schools with older pupils have. */
const secondaryOnly = new Set(['I02', 'E21'])

const income: readonly ChartRow[] = [
  ['I01', 'Funds delegated by the local authority'],
  ['I02', 'Funding for sixth form students'],
  ['I03', 'High needs top-up funding'],
  ['I04', 'Funding for minority ethnic pupils'],
  ['I05', 'Pupil premium'],
  ['I06', 'Other government grants'],
  ['I07', 'Other grants and payments'],
  ['I08a', 'Income from letting premises'],
  ['I08b', 'Other income from facilities and services'],
  ['I09', 'Income from catering'],
  ['I10', 'Supply teacher insurance claims'],
  ['I11', 'Other insurance claims'],
  ['I12', 'Contributions to visits'],
  ['I13', 'Donations and voluntary funds'],
  ['I15', 'Pupil-focused extended school funding and grants'],
  ['I16', 'Community-focused school funding and grants'],
  ['I17', 'Community-focused school facilities income'],
  ['I18d', 'Other additional grants'],
]

const expenditure: readonly ChartRow[] = [
  ['E08', 'Indirect employee expenses'],
  ['E09', 'Staff development and training'],
  ['E10', 'Supply teacher insurance'],
  ['E11', 'Staff-related insurance'],
  ['E12', 'Building maintenance and improvement'],
  ['E13', 'Grounds maintenance and improvement'],
  ['E14', 'Cleaning and caretaking'],
  ['E15', 'Water and sewerage'],
  ['E16', 'Energy'],
  ['E17', 'Rates'],
  ['E18', 'Other occupation costs'],
  ['E19', 'Learning resources (not ICT equipment)'],
  ['E20A', 'IT: connectivity'],
  ['E20B', 'IT: on-site servers'],
  ['E20C', 'IT: learning resources'],
  ['E20D', 'IT: administration software and systems'],
  ['E20E', 'IT: laptops, desktops and tablets'],
  ['E20F', 'IT: other hardware'],
  ['E20G', 'IT: support'],
  ['E21', 'Examination fees'],
  ['E22', 'Administrative supplies'],
  ['E23', 'Other insurance premiums'],
  ['E24', 'Special facilities'],
  ['E25', 'Catering supplies'],
  ['E26', 'Agency supply teaching staff'],
  ['E27', 'Bought-in professional services: curriculum'],
  ['E28a', 'Bought-in professional services: other'],
  ['E28b', 'Bought-in professional services: PFI'],
  ['E29', 'Loan interest'],
  ['E30', 'Direct revenue financing'],
  ['E32', 'Community-focused school costs'],
]

export const maintainedChart: ChartOfAccounts = {
  income,
  expenditure,
  capitalIncome: [
    ['CI01', 'Capital income'],
    ['CI03', 'Voluntary or private capital income'],
    ['CI04', 'Direct revenue financing (capital receipt)'],
  ],
  capitalExpenditure: [
    ['CE01', 'Land and existing buildings'],
    ['CE02', 'New construction, conversion and renovation'],
    ['CE03', 'Vehicles, plant, equipment and machinery'],
    ['CE04A', 'Capital IT: connectivity'],
    ['CE04B', 'Capital IT: on-site servers'],
    ['CE04C', 'Capital IT: administration software and systems'],
    ['CE04D', 'Capital IT: laptops, desktops and tablets'],
    ['CE04E', 'Capital IT: other hardware'],
  ],
}

const hasYoungerPupils = ([code]: ChartRow): boolean => !secondaryOnly.has(code)

/** A primary school has no sixth form and no examination fees. */
export const primaryChart: ChartOfAccounts = {
  ...maintainedChart,
  income: income.filter(hasYoungerPupils),
  expenditure: expenditure.filter(hasYoungerPupils),
}

export const maintainedStaffLines: readonly StaffLine[] = [
  { line: 'E01', name: 'Teaching staff' },
  { line: 'E02', name: 'Supply teaching staff' },
  { line: 'E03', name: 'Education support staff' },
  { line: 'E04', name: 'Premises staff' },
  { line: 'E05', name: 'Administrative and clerical staff' },
  { line: 'E06', name: 'Catering staff' },
  { line: 'E07', name: 'Other staff' },
  { line: 'E31', name: 'Community-focused school staff' },
]

/** The CFR framework counts technicians and cover supervisors as education support, and midday supervisors as other staff. */
export const primaryPayrollCodes: readonly KitPayrollCode[] = [
  { code: 'SLT', description: 'Senior leadership', line: 'E01', isLeadership: true },
  { code: 'TCH', description: 'Teachers', line: 'E01' },
  { code: 'SUP', description: 'Supply teachers on the payroll', line: 'E02' },
  { code: 'TA', description: 'Teaching assistants', line: 'E03' },
  { code: 'PRM', description: 'Premises staff', line: 'E04' },
  { code: 'ADM', description: 'Administrative staff', line: 'E05' },
  { code: 'CAT', description: 'Catering staff', line: 'E06' },
  { code: 'MID', description: 'Midday supervisors', line: 'E07' },
]

export const secondaryPayrollCodes: readonly KitPayrollCode[] = [
  ...primaryPayrollCodes,
  { code: 'TEC', description: 'Technicians', line: 'E03' },
  { code: 'COV', description: 'Cover supervisors', line: 'E03' },
]
