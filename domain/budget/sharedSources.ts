/** Staff costs and reductions that belong to no contract: the budget's share of an amount of its whole group. */
export const sharedSources = ['levy', 'employmentAllowance'] as const
export type SharedSource = (typeof sharedSources)[number]

export const staffSources = ['contract', ...sharedSources] as const
export type StaffSource = (typeof staffSources)[number]

export const sharedSourceNames: Readonly<Record<SharedSource, string>> = {
  levy: 'Apprenticeship levy',
  employmentAllowance: 'Employment Allowance',
}

export const isSharedSource = (source: string): source is SharedSource => sharedSources.some((one) => one === source)
export const isStaffSource = (source: string): source is StaffSource => staffSources.some((one) => one === source)
