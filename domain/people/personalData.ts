/** An entry in the register of personal data: whose data it is, where and why it is stored, and for how long. */
export interface PersonalDataEntry {
  what: string
  /** Whose data it is. */
  about: 'staff' | 'users' | 'outside'
  where: string
  why: string
  howLong: string
  /** The database tables that store the data; a test compares them with the schema. */
  tables: readonly string[]
}

/** The register of all personal data in the product, which the privacy page shows unchanged. */
export const personalDataRegister: readonly PersonalDataEntry[] = [
  {
    what: 'Name, title, gender, employee number, NI number, date of birth, continuous service date, email',
    about: 'staff',
    where: 'A vault, encrypted with the person’s own key',
    why: 'To cost contracts: pay, pension and national insurance depend on them',
    howLong:
      'Until the person is erased or deleted, which deletes the key, so the bin holds no personal data; leavers are proposed for erasure after the period set by the organisation',
    tables: ['staff_members', 'vault_keys'],
  },
  {
    what: 'Contracts: post, pay, hours, dates and what they cost, under a number that does not identify anyone',
    about: 'staff',
    where: 'Budgets and their append-only log, without names',
    why: 'To plan staff costs, and to prove later why a figure was what it was',
    howLong: 'For as long as the budget is kept; after erasure nobody can tell whose they were',
    tables: ['staff_contracts', 'budget_events', 'staff_costs', 'posted_lines', 'budget_pay', 'budget_items', 'budgets', 'budget_days'],
  },
  {
    what: 'Notes in contracts, leave and payroll',
    about: 'staff',
    where: 'Where they were written, encrypted with the person’s key',
    why: 'For the people who manage the budget',
    howLong: 'Until they are deleted or the person is erased',
    tables: ['applied_extended_leave', 'payroll_items', 'payroll_events'],
  },
  {
    what: 'Payroll payments: one line for each employee and code in a month',
    about: 'staff',
    where: 'Payroll, under the same number; unknown employee numbers are encrypted',
    why: 'To compare what was paid with what was planned',
    howLong: 'For as long as the organisation uses the product; after erasure nobody can tell whose they were',
    tables: ['payroll_lines', 'payroll_logs', 'payroll_explanations'],
  },
  {
    what: 'The latest file from an HR system, row by row',
    about: 'staff',
    where: 'Encrypted with the organisation’s key',
    why: 'To propose starters, leavers and changes',
    howLong: 'Until the next file, or until a person in it is erased',
    tables: ['staff_files', 'staff_changes', 'staff_changes_left'],
  },
  {
    what: 'Who changed which record and when, with the previous values',
    about: 'staff',
    where: 'The change log, in which staff data stays encrypted',
    why: 'So that every change can be explained and undone',
    howLong: 'Permanently; data about an erased person cannot be decrypted',
    tables: ['reference_changes', 'log_chain'],
  },
  {
    what: 'Reports and packs created as files',
    about: 'staff',
    where: 'Encrypted, for the person who requested them',
    why: 'To be read and printed',
    howLong: 'Thirty days, or until a person in them is erased',
    tables: ['made_files', 'pack_papers'],
  },
  {
    what: 'Name, email, position, phone number, picture and user groups',
    about: 'users',
    where: 'Users; also the change log, encrypted with the user’s own key',
    why: 'To sign in, and to record who did what',
    howLong: 'Until the user is erased or deleted, which deletes the key; a record of what they did is kept under a number',
    tables: ['users', 'memberships', 'invitations', 'images'],
  },
  {
    what: 'Password (only its hash), authenticator key and recovery codes',
    about: 'users',
    where: 'The database; keys are encrypted with a secret that is stored elsewhere',
    why: 'To keep accounts secure',
    howLong: 'Until they are changed or turned off',
    tables: ['second_steps', 'recovery_codes'],
  },
  {
    what: 'Passkeys: their names and public keys, and when each was added and last used',
    about: 'users',
    where: 'The list on the profile page; the private key never leaves the user’s device',
    why: 'To sign in without a password',
    howLong: 'Until they are removed; the history keeps their names until the user is erased',
    tables: ['passkeys'],
  },
  {
    what: 'Where a user is signed in: browser, operating system, IP address, time and method; details from an external sign-in (Microsoft, Google)',
    about: 'users',
    where: 'The list on the profile page',
    why: 'To let users spot and end a sign-in that is not theirs',
    howLong: 'Two days after it was last used or ended',
    tables: ['sign_ins', 'oidc_payloads'],
  },
  {
    what: 'Comments, and who was notified; reminders, report layouts, which budget and field are open, and the progress of an import',
    about: 'users',
    where: 'With the item they belong to',
    why: 'For the person who wrote them, and colleagues who work on the same budget',
    howLong: 'Until they are deleted; which budget is open, for a few minutes; the progress of an import, for a day',
    tables: ['comment_notices', 'reminders', 'report_layouts', 'presences', 'import_progress'],
  },
  {
    what: 'Saved list views: named searches, filters and sort orders',
    about: 'users',
    where: 'Visible only to that person; encrypted with the organisation’s key',
    why: 'To show a list in the same way in every browser',
    howLong:
      'Until they remove them, leave the organisation, or are erased or deleted; a view that searches for a member of staff by surname, number or email address is deleted when that person is erased, and a view named after them is renamed',
    tables: ['list_views'],
  },
  {
    what: 'Who created a budget, recalculation, file for another system or credential, and who submitted and approved a budget',
    about: 'users',
    where: 'With the item itself',
    why: 'For accountability',
    howLong: 'For as long as the item is kept',
    tables: [
      'recalculations',
      'recalculation_budgets',
      'recalculation_marks',
      'budget_jobs',
      'budget_job_items',
      'quick_calculations',
      'monitoring_events',
      'api_clients',
      'answered_calls',
      'connections',
      'connection_runs',
      'webhooks',
      'flash_messages',
    ],
  },
  {
    what: 'Names and contact details of headteachers and of people at the organisation, as entered',
    about: 'outside',
    where: 'The records of organisations and locations',
    why: 'To print them on reports and returns',
    howLong: 'Until they are changed; after a location is deleted, for thirty more days in the bin',
    tables: ['organisations', 'locations'],
  },
  {
    what: 'Email and IP addresses used in sign-in attempts, as hashes that cannot be reversed',
    about: 'outside',
    where: 'Rate-limit counters',
    why: 'To prevent password guessing',
    howLong: '15 minutes',
    tables: ['rate_limits'],
  },
]

export const dataSubjectNames: Record<PersonalDataEntry['about'], string> = {
  staff: 'Staff',
  users: 'People who use Bursar',
  outside: 'Others',
}
