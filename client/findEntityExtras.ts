import type { EntityExtras } from './resources/entityExtras.ts'
import { lazyComponent } from './shell/lazyComponent.ts'

const DuplicateInflation = lazyComponent(() => import('./console/DuplicateInflationButton.tsx'), 'DuplicateInflationButton')
const ProfileChart = lazyComponent(() => import('./console/ProfileChart.tsx'), 'ProfileChart')
const InflationRates = lazyComponent(() => import('./console/recordTabs.tsx'), 'InflationRatesTab')
const LeaveRules = lazyComponent(() => import('./console/recordTabs.tsx'), 'LeaveRulesTab')
const PayAwards = lazyComponent(() => import('./console/recordTabs.tsx'), 'PayAwardsTab')
const PensionRates = lazyComponent(() => import('./console/recordTabs.tsx'), 'PensionRatesTab')
const TagPreview = lazyComponent(() => import('./console/TagPreview.tsx'), 'TagPreview')
const WordsTab = lazyComponent(() => import('./console/LocalNamesTab.tsx'), 'LocalNamesTab')
const ArticlePreview = lazyComponent(() => import('./messages/ArticlePreview.tsx'), 'ArticlePreview')
const BannerPreview = lazyComponent(() => import('./messages/BannerPreview.tsx'), 'BannerPreview')
const PersonActions = lazyComponent(() => import('./staffing/people/PersonActions.tsx'), 'PersonActions')
const LeaveTab = lazyComponent(() => import('./staffing/people/LeaveTab.tsx'), 'LeaveTab')
const ContractsTab = lazyComponent(() => import('./staffing/people/StaffTabs.tsx'), 'ContractsTab')
const RemindersTab = lazyComponent(() => import('./staffing/people/StaffTabs.tsx'), 'RemindersTab')
const AccessSection = lazyComponent(() => import('./users/AccessSection.tsx'), 'AccessSection')
const UserActions = lazyComponent(() => import('./users/UserActions.tsx'), 'UserActions')

const words = { value: 'words', label: 'At each location', part: WordsTab }

/** Components that an entity adds to its generated screens, by entity name. */
const extras: Record<string, EntityExtras> = {
  budgetCode: { tabs: [words] },
  costCentre: { tabs: [words] },
  organisation: { tabbed: true },
  location: { tabbed: true },
  profileTemplate: { beside: ProfileChart },
  flashMessage: { beside: BannerPreview },
  newsArticle: { beside: ArticlePreview },
  assist: { beside: ArticlePreview },
  analysisTag: { beside: TagPreview },
  cluster: { beside: TagPreview },
  inflation: { tabs: [{ value: 'rates', label: 'Rates', part: InflationRates }], actions: DuplicateInflation },
  staffAssumptions: {
    tabs: [
      { value: 'pension', label: 'Employer pension rates', part: PensionRates },
      { value: 'awards', label: 'Pay awards', part: PayAwards },
    ],
  },
  extendedLeaveRuleSet: { tabs: [{ value: 'rules', label: 'Rules', part: LeaveRules }] },
  staffMember: {
    title: (record) => [
      `${record.forename} ${record.surname}`,
      record.erased ? 'Personal data was erased. Contracts and figures are kept.' : `Employee ${record.employeeNumber}`,
    ],
    tabs: [
      { value: 'contracts', label: 'Contracts', part: ContractsTab, onlyIn: 'budget' },
      { value: 'leave', label: 'Extended leave', part: LeaveTab },
      { value: 'reminders', label: 'Reminders', part: RemindersTab },
    ],
    actions: PersonActions,
    isFixed: (record) => record.erased === true,
  },
  user: {
    title: (record) => [
      `${record.forename} ${record.surname}`,
      record.isErased ? 'Personal data was erased. A record of this user’s actions is kept.' : String(record.email),
    ],
    below: { part: AccessSection, fields: ['organisationIds', 'locationIds', 'userGroupIds'] },
    actions: UserActions,
    isFixed: (record) => record.isErased === true,
  },
}

const none: EntityExtras = {}

export function findEntityExtras(resource: string): EntityExtras {
  return extras[resource] ?? none
}
