import type { EntityScreenExtras } from './resources/entityExtras.ts'
import { lazyComponent } from './shell/lazyComponent.ts'

const DuplicateInflationButton = lazyComponent(() => import('./console/DuplicateInflationButton.tsx'), 'DuplicateInflationButton')
const ProfileChart = lazyComponent(() => import('./console/ProfileChart.tsx'), 'ProfileChart')
const InflationRatesTab = lazyComponent(() => import('./console/recordTabs.tsx'), 'InflationRatesTab')
const LeaveRulesTab = lazyComponent(() => import('./console/recordTabs.tsx'), 'LeaveRulesTab')
const PayAwardsTab = lazyComponent(() => import('./console/recordTabs.tsx'), 'PayAwardsTab')
const PensionRatesTab = lazyComponent(() => import('./console/recordTabs.tsx'), 'PensionRatesTab')
const StartKitButton = lazyComponent(() => import('./console/StartKitButton.tsx'), 'StartKitButton')
const TagPreview = lazyComponent(() => import('./console/TagPreview.tsx'), 'TagPreview')
const LocalNamesTab = lazyComponent(() => import('./console/LocalNamesTab.tsx'), 'LocalNamesTab')
const ArticlePreview = lazyComponent(() => import('./messages/ArticlePreview.tsx'), 'ArticlePreview')
const BannerPreview = lazyComponent(() => import('./messages/BannerPreview.tsx'), 'BannerPreview')
const PersonActions = lazyComponent(() => import('./staffing/people/PersonActions.tsx'), 'PersonActions')
const LeaveTab = lazyComponent(() => import('./staffing/people/LeaveTab.tsx'), 'LeaveTab')
const ContractsTab = lazyComponent(() => import('./staffing/people/StaffTabs.tsx'), 'ContractsTab')
const RemindersTab = lazyComponent(() => import('./staffing/people/StaffTabs.tsx'), 'RemindersTab')
const AddUserDialog = lazyComponent(() => import('./users/AddUserDialog.tsx'), 'AddUserDialog')
const AccessSection = lazyComponent(() => import('./users/AccessSection.tsx'), 'AccessSection')
const UserActions = lazyComponent(() => import('./users/UserActions.tsx'), 'UserActions')

const localNamesTab = { value: 'words', label: 'At each location', part: LocalNamesTab }

/** Components that an entity adds to its generated screens, by entity name. */
const extras: Record<string, EntityScreenExtras> = {
  budgetCode: { tabs: [localNamesTab], emptyAction: StartKitButton },
  costCentre: { tabs: [localNamesTab] },
  organisation: { tabbed: true },
  location: { tabbed: true },
  profileTemplate: { beside: ProfileChart },
  flashMessage: { beside: BannerPreview },
  newsArticle: { beside: ArticlePreview },
  assist: { beside: ArticlePreview },
  analysisTag: { beside: TagPreview },
  cluster: { beside: TagPreview },
  inflation: { tabs: [{ value: 'rates', label: 'Rates', part: InflationRatesTab }], actions: DuplicateInflationButton },
  staffAssumptions: {
    tabs: [
      { value: 'pension', label: 'Employer pension rates', part: PensionRatesTab },
      { value: 'awards', label: 'Pay awards', part: PayAwardsTab },
    ],
  },
  extendedLeaveRuleSet: { tabs: [{ value: 'rules', label: 'Rules', part: LeaveRulesTab }] },
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
    addDialog: AddUserDialog,
    isFixed: (record) => record.isErased === true,
  },
}

const noExtras: EntityScreenExtras = {}

export function findEntityExtras(resource: string): EntityScreenExtras {
  return extras[resource] ?? noExtras
}
