/**
 * A row of the demo trust's chart of accounts: code, type, description, category, CFR code, ACOA code and Budget Forecast Return line. The
 * last three are empty if the reference tables have no matching code.
 */
type BudgetCodeRow = [
  code: string,
  type: 'Income' | 'Expenditure',
  description: string,
  category: 'Staffing' | 'Non-staffing' | 'Capital' | 'Balance',
  cfr: string,
  acoa: string,
  bfr: string,
]

export const budgetCodes: BudgetCodeRow[] = [
  ['1000', 'Income', 'General annual grant', 'Non-staffing', 'I01', '510100', '102'],
  ['1010', 'Income', 'Rates reclaim', 'Non-staffing', 'I01', '510150', '101'],
  ['1020', 'Income', 'Pupil premium', 'Non-staffing', 'I05', '510200', '108'],
  ['1030', 'Income', 'Universal infant free school meals', 'Non-staffing', 'I18d', '510250', ''],
  ['1040', 'Income', 'PE and sport grant', 'Non-staffing', 'I18d', '510400', ''],
  ['1050', 'Income', 'High needs top-up', 'Non-staffing', 'I03', '520100', '200'],
  ['1060', 'Income', '16 to 19 funding', 'Non-staffing', 'I02', '510700', '102'],
  ['1070', 'Income', 'Other government grants', 'Non-staffing', 'I06', '520300', '205'],
  ['1100', 'Income', 'Catering income', 'Non-staffing', 'I09', '530200', '211'],
  ['1110', 'Income', 'Lettings', 'Non-staffing', 'I08a', '530250', '211'],
  ['1120', 'Income', 'Music services income', 'Non-staffing', 'I08b', '530600', '211'],
  ['1130', 'Income', 'Donations', 'Non-staffing', 'I13', '520200', '220'],
  ['1140', 'Income', 'Bank interest', 'Non-staffing', 'I08b', '525750', '220'],
  ['1200', 'Income', 'Top slice from schools', 'Non-staffing', 'I18d', '530990', ''],
  ['1900', 'Income', 'Devolved formula capital', 'Capital', 'CI01', '550250', ''],
  ['3000', 'Expenditure', 'Leadership: gross pay', 'Staffing', 'E01', '610100', '300'],
  ['3001', 'Expenditure', 'Leadership: employer NI', 'Staffing', 'E01', '610200', '300'],
  ['3002', 'Expenditure', 'Leadership: employer pension', 'Staffing', 'E01', '610300', '300'],
  ['3100', 'Expenditure', 'Teachers: gross pay', 'Staffing', 'E01', '612100', '300'],
  ['3101', 'Expenditure', 'Teachers: employer NI', 'Staffing', 'E01', '612200', '300'],
  ['3102', 'Expenditure', 'Teachers: employer pension', 'Staffing', 'E01', '612300', '300'],
  ['3200', 'Expenditure', 'Teaching assistants: gross pay', 'Staffing', 'E03', '615100', ''],
  ['3201', 'Expenditure', 'Teaching assistants: employer NI', 'Staffing', 'E03', '615200', ''],
  ['3202', 'Expenditure', 'Teaching assistants: employer pension', 'Staffing', 'E03', '615300', ''],
  ['3300', 'Expenditure', 'Administrative staff: gross pay', 'Staffing', 'E05', '625100', '303b'],
  ['3301', 'Expenditure', 'Administrative staff: employer NI', 'Staffing', 'E05', '625200', '303b'],
  ['3302', 'Expenditure', 'Administrative staff: employer pension', 'Staffing', 'E05', '625300', '303b'],
  ['3400', 'Expenditure', 'Premises staff: gross pay', 'Staffing', 'E04', '627100', ''],
  ['3401', 'Expenditure', 'Premises staff: employer NI', 'Staffing', 'E04', '627200', ''],
  ['3402', 'Expenditure', 'Premises staff: employer pension', 'Staffing', 'E04', '627300', ''],
  ['3500', 'Expenditure', 'Catering staff: gross pay', 'Staffing', 'E06', '632100', ''],
  ['3501', 'Expenditure', 'Catering staff: employer NI', 'Staffing', 'E06', '632200', ''],
  ['3502', 'Expenditure', 'Catering staff: employer pension', 'Staffing', 'E06', '632300', ''],
  ['4000', 'Expenditure', 'Supply teachers, agency', 'Non-staffing', 'E26', '650400', ''],
  ['4100', 'Expenditure', 'Staff training', 'Non-staffing', 'E09', '850100', ''],
  ['4200', 'Expenditure', 'Building maintenance', 'Non-staffing', 'E12', '710100', ''],
  ['4210', 'Expenditure', 'Grounds maintenance', 'Non-staffing', 'E13', '760100', ''],
  ['4220', 'Expenditure', 'Cleaning and caretaking', 'Non-staffing', 'E14', '730100', ''],
  ['4230', 'Expenditure', 'Water and sewerage', 'Non-staffing', 'E15', '760150', ''],
  ['4240', 'Expenditure', 'Energy', 'Non-staffing', 'E16', '720300', ''],
  ['4250', 'Expenditure', 'Rates', 'Non-staffing', 'E17', '715100', ''],
  ['4300', 'Expenditure', 'Learning resources', 'Non-staffing', 'E19', '810200', ''],
  ['4320', 'Expenditure', 'Examination fees', 'Non-staffing', 'E21', '815100', ''],
  ['4330', 'Expenditure', 'Administrative supplies', 'Non-staffing', 'E22', '835200', ''],
  ['4340', 'Expenditure', 'Insurance', 'Non-staffing', 'E23', '725200', ''],
  ['4350', 'Expenditure', 'Special facilities', 'Non-staffing', 'E24', '830150', ''],
  ['4360', 'Expenditure', 'Catering supplies', 'Non-staffing', 'E25', '780770', ''],
  ['4370', 'Expenditure', 'Professional services', 'Non-staffing', 'E27', '855100', ''],
  ['4400', 'Expenditure', 'Central services (top slice)', 'Non-staffing', 'E27', '880500', ''],
  ['4900', 'Expenditure', 'Capital: building works', 'Capital', 'CE02', '770102', ''],
]

export const costCentres: [string, string][] = [
  ['LEAD', 'Leadership'],
  ['EYFS', 'Early years'],
  ['KS1', 'Key stage 1'],
  ['KS2', 'Key stage 2'],
  ['KS3', 'Key stage 3'],
  ['KS4', 'Key stage 4'],
  ['SEND', 'Inclusion'],
  ['OFF', 'Office'],
  ['SITE', 'Site and premises'],
  ['CAT', 'Catering'],
]

export const fundCodes: [string, string][] = [
  ['GEN', 'General fund'],
  ['PPG', 'Pupil premium'],
  ['HN', 'High needs'],
  ['RES', 'Other restricted'],
  ['CAP', 'Capital'],
]

/** Payroll codes: code, description, the budget codes for gross pay, NI and pension, and the cost centre. */
export const serviceTerms: [string, string, string, string, string, string][] = [
  ['SLT', 'Senior leadership', '3000', '3001', '3002', 'LEAD'],
  ['TCH', 'Teaching staff', '3100', '3101', '3102', 'KS2'],
  ['TA', 'Teaching assistants', '3200', '3201', '3202', 'SEND'],
  ['ADM', 'Administrative staff', '3300', '3301', '3302', 'OFF'],
  ['PRM', 'Premises staff', '3400', '3401', '3402', 'SITE'],
  ['CAT', 'Catering staff', '3500', '3501', '3502', 'CAT'],
]

/**
 * Allowances: name, pro rata, pensionable, inflated, and rates by date. Teaching amounts are within the ranges of each September's pay
 * document.
 */
export const allowances: [string, boolean, boolean, boolean, [string, number][]][] = [
  [
    'TLR 1a',
    false,
    true,
    true,
    [
      ['2024-09-01', 9782],
      ['2025-09-01', 10_174],
    ],
  ],
  [
    'TLR 2a',
    false,
    true,
    true,
    [
      ['2024-09-01', 3391],
      ['2025-09-01', 3527],
    ],
  ],
  [
    'TLR 2b',
    false,
    true,
    true,
    [
      ['2024-09-01', 5642],
      ['2025-09-01', 5869],
    ],
  ],
  [
    'SEN 1',
    true,
    true,
    true,
    [
      ['2024-09-01', 2679],
      ['2025-09-01', 2787],
    ],
  ],
  ['First aid', false, false, false, [['2024-04-01', 150]]],
]

export const analysisTags: [string, string, string, string][] = [
  ['Fixed term', 'Fixed-term contracts', '6b3d00', 'ffe7c2'],
  ['Pupil premium', 'Funded by pupil premium', '0b4a50', 'd3eef0'],
  ['Under review', 'Posts under review', '7a1620', 'fbdde0'],
]
