import type { StaffedContract, StaffYear } from './facts.ts'

/** Fewer people than this are not told apart where nobody is named: what they cost would be the pay of one of them. */
export const fewest = 3

const parts = ['basic', 'allowances', 'leave', 'ni', 'pension'] as const

/** Something that is told in figures, and the people whose pay is in them. */
export interface Paid<K> {
  key: K
  people: ReadonlySet<string>
}

/**
 * What is told together where nobody is named: whatever is the pay of one or two people, and with it the smallest of the others where they would
 * be few still.
 */
export function fewTogether<K>(all: readonly Paid<K>[]): Set<K> {
  const counted = [...all].sort((a, b) => b.people.size - a.people.size)
  const told = counted.filter(({ people }) => people.size >= fewest)
  const few = counted.filter(({ people }) => people.size > 0 && people.size < fewest)
  const people = new Set(few.flatMap((one) => [...one.people]))
  while (few.length && people.size < fewest) {
    const next = told.pop()
    if (!next) break
    few.push(next)
    for (const person of next.people) people.add(person)
  }
  return new Set(few.map(({ key }) => key))
}

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
