/** What reduces or adds to the cost of staff over all contracts of a budget: its share of something that its group has once. */
export const sharedSources = ['levy', 'employmentAllowance'] as const
export type SharedSource = (typeof sharedSources)[number]

/** Where lines come from that are what staff cost. */
export const staffSources = ['contract', ...sharedSources] as const
export type StaffSource = (typeof staffSources)[number]

export const sharedNames: Readonly<Record<SharedSource, string>> = {
  levy: 'Apprenticeship levy',
  employmentAllowance: 'Employment Allowance',
}

export const isShared = (source: string): source is SharedSource => sharedSources.some((one) => one === source)
export const isOfStaff = (source: string): source is StaffSource => staffSources.some((one) => one === source)
