import { IconCalculator, IconCoins, IconMap2, IconReportMoney, IconSchool } from '@tabler/icons-react'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { lazyPage, type Screen } from '../shell/screens/screen.ts'

const editors = {
  area: 'Non-staffing',
  view: listViewPermissions('BudgetingNonStaffing'),
  edit: ['BudgetingNonStaffingReadUpdate'],
  needs: 'budget',
} as const

const entryPage = lazyPage(() => import('./entries/EntryPage.tsx'), 'EntryPage')

const calculationPage = lazyPage(() => import('./calculator/CalculationPage.tsx'), 'CalculationPage')

export const nonStaffingScreens: Screen[] = [
  {
    ...editors,
    path: '/non-staffing/budget-entries',
    title: 'BudgetEntry',
    icon: IconReportMoney,
    page: lazyPage(() => import('./entries/EntriesPage.tsx'), 'EntriesPage'),
    subPages: [
      { path: 'add', page: entryPage },
      { path: ':id', page: entryPage },
    ],
  },
  {
    ...editors,
    path: '/non-staffing/pupil-numbers',
    title: 'PupilNumbers',
    icon: IconSchool,
    page: lazyPage(() => import('./pupils/PupilsPage.tsx'), 'PupilsPage'),
  },
  {
    ...editors,
    path: '/non-staffing/funding-predictor',
    title: 'FundingPredictor',
    icon: IconCoins,
    page: lazyPage(() => import('./funding/PredictionsPage.tsx'), 'PredictionsPage'),
    subPages: [{ path: ':id', page: lazyPage(() => import('./funding/PredictionPage.tsx'), 'PredictionPage') }],
  },
  {
    ...editors,
    path: '/non-staffing/ie-calculator',
    title: 'IncomeExpenditureCalculator',
    icon: IconCalculator,
    page: lazyPage(() => import('./calculator/CalculationsPage.tsx'), 'CalculationsPage'),
    subPages: [
      { path: 'add', page: calculationPage },
      { path: ':id', page: calculationPage },
    ],
  },
  {
    ...editors,
    edit: 'nobody',
    path: '/non-staffing/local-authority-funding-rates',
    title: 'LocalAuthorityFundingRate',
    icon: IconMap2,
    page: lazyPage(() => import('./funding/FundingRatesPage.tsx'), 'FundingRatesPage'),
  },
]
