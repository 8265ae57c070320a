import {
  IconBell,
  IconBook2,
  IconBuilding,
  IconBuildingBank,
  IconCalculator,
  IconCalendarDollar,
  IconCertificate,
  IconClipboardList,
  IconCoins,
  IconLifebuoy,
  IconMap2,
  IconNews,
  IconReceiptTax,
  IconSpeakerphone,
  IconTable,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react'
import { requestType } from '../../domain/lookupIds.ts'
import { administratorScreen } from '../resources/recordScreens.ts'
import type { Screen } from '../shell/screen.ts'

/** What the administrators of the product keep for every organisation. */
export const administratorScreens: Screen[] = [
  administratorScreen('organisations', 'organisation', 'Organisation', IconBuildingBank, ['add', 'bulk', ':id']),
  administratorScreen('locations', 'location', 'Location', IconBuilding),
  administratorScreen('local-authorities', 'localAuthority', 'LocalAuthority', IconMap2),
  administratorScreen('local-authority-funding-rates', 'localAuthorityFundingRate', 'LocalAuthorityFundingRate', IconMap2, ['add', ':id'], {
    tableTypes: [5],
  }),
  administratorScreen('admin-tables', 'adminTable', 'AdminTable', IconTable),
  administratorScreen('pay-scales', 'payScalePoint', { text: 'Pay scales', singular: 'Pay scale' }, IconCalculator, ['add', ':id'], {
    requestType: requestType.national,
    tableTypes: [1, 2],
  }),
  administratorScreen('national-insurance', 'nationalInsurance', 'NationalInsurance', IconReceiptTax, ['add', ':id'], { tableTypes: [3] }),
  administratorScreen('extended-leave-types', 'extendedLeaveType', 'ExtendedLeaveType', IconCalendarDollar, ['add', ':id'], {
    tableTypes: [4],
  }),
  administratorScreen('financial-reporting-codes', 'financialReportingCode', 'FinancialReportingCode', IconBook2, ['add', 'bulk', ':id'], {
    requestType: requestType.national,
  }),
  administratorScreen('bfr-codes', 'bFRCode', 'BFRCode', IconCertificate),
  administratorScreen('benchmarking-groups', 'benchmarkingGroup', 'BenchmarkingGroup', IconClipboardList),
  administratorScreen('income-types', 'incomeType', 'IncomeType', IconCoins),
  administratorScreen('users', 'user', 'User', IconUsers),
  administratorScreen('user-groups', 'userGroup', 'UserGroup', IconUserCog),
  administratorScreen('communications/flash-messages', 'flashMessage', 'FlashMessage', IconSpeakerphone),
  administratorScreen('communications/news', 'newsArticle', 'NewsArticle', IconNews),
  administratorScreen('communications/assist', 'assist', 'Assist', IconLifebuoy),
  administratorScreen('communications/reminders', 'reminder', 'Reminder', IconBell),
]
