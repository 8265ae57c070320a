import { AccessSection } from './AccessSection.tsx'
import { AddContract } from './AddContract.tsx'
import { ArticlePreview } from './ArticlePreview.tsx'
import { BannerPreview } from './BannerPreview.tsx'
import { DuplicateInflation } from './DuplicateInflation.tsx'
import type { Extras } from './extras.ts'
import { InvitePerson } from './InvitePerson.tsx'
import { LeaveTab } from './LeaveTab.tsx'
import { ProfileChart } from './ProfileChart.tsx'
import { InflationRates, LeaveRules, PayAwards, PensionRates } from './parts.tsx'
import { ContractsTab, RemindersTab } from './StaffTabs.tsx'
import { TagPreview } from './TagPreview.tsx'
import { WordsTab } from './WordsTab.tsx'

const words = { value: 'words', label: 'At each location', part: WordsTab }

/** What is special about the screens of an entity, by its name. */
const extras: Record<string, Extras> = {
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
    title: (record) => [`${record.forename} ${record.surname}`, `Employee ${record.employeeNumber}`],
    tabs: [
      { value: 'contracts', label: 'Contracts', part: ContractsTab, onlyIn: 'budget' },
      { value: 'leave', label: 'Extended leave', part: LeaveTab },
      { value: 'reminders', label: 'Reminders', part: RemindersTab },
    ],
    actions: AddContract,
  },
  user: {
    title: (record) => [`${record.forename} ${record.surname}`, String(record.email)],
    below: { part: AccessSection, fields: ['organisationIds', 'locationIds', 'userGroupIds'] },
    actions: InvitePerson,
  },
}

const none: Extras = {}

export function extrasOf(resource: string): Extras {
  return extras[resource] ?? none
}
