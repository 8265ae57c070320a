import type { StaffedContract, StaffYear } from './facts.ts'

/** Fewer people than this are not told apart where nobody is named: what they cost would be the pay of one of them. */
export const fewest = 3

const parts = ['basic', 'allowances', 'leave', 'ni', 'pension'] as const

/** What a contract costs in a year; null where part of it could not be calculated. */
export function costOfYear(year: StaffYear): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || year[part] === null ? null : sum + year[part]), 0)
}

/** How many people hold some contracts; one that nobody holds yet counts as somebody's. */
export function peopleOf(contracts: readonly Pick<StaffedContract, 'personId'>[]): number {
  const held = contracts.flatMap(({ personId }) => personId ?? [])
  return new Set(held).size + contracts.length - held.length
}

/** How many people are paid in a year by some contracts. @param year index of it */
export function peoplePaid(contracts: readonly StaffedContract[], year: number): number {
  return peopleOf(contracts.filter(({ years }) => years[year] && costOfYear(years[year]) !== 0))
}
