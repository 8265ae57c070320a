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
export function findKeysOfFew<K>(all: readonly Paid<K>[]): Set<K> {
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

/** What people are paid in some year, each by a name of their own; null where part of it is not calculated. */
export type PayOfYear = ReadonlyMap<string, number | null>

/** The people whose pay differs between two figures. */
export function differingBetween(a: PayOfYear, b: PayOfYear): Set<string> {
  return new Set([...a.keys(), ...b.keys()].filter((person) => (a.get(person) ?? 0) !== (b.get(person) ?? 0)))
}

/** Whether what lies between two figures of pay is that of one or two people. */
export function differByFew(a: PayOfYear, b: PayOfYear): boolean {
  const { size } = differingBetween(a, b)
  return size > 0 && size < fewest
}

/**
 * Which of several may be told beside each other: each that no earlier one comes close to.
 * @param isClose whether what lies between two of them is not told
 * @returns those that are not told, each with the one that it is too close to
 */
export function tooClose<T>(all: readonly T[], isClose: (a: T, b: T) => boolean): Map<T, T> {
  const told: T[] = []
  const found = new Map<T, T>()
  for (const one of all) {
    const near = told.find((other) => isClose(other, one))
    if (near === undefined) told.push(one)
    else found.set(one, near)
  }
  return found
}

/** Where the pay of a code stands under something else that figures are told by, such as a cost centre. */
export interface PaidUnder<C, K> {
  code: C
  key: K
  /** Whether one or two people are paid there in some month. */
  isFew: boolean
}

/**
 * By what else the pay of codes is not told: where several share the codes and one of them has one or two people of a code, the sums by code
 * would give these away.
 */
export function hiddenBeside<C, K>(places: readonly PaidUnder<C, K>[]): Set<K> {
  let groups: { codes: Set<C>; keys: Set<K>; isFew: boolean }[] = []
  for (const { code, key, isFew } of places) {
    const near = groups.filter((group) => group.codes.has(code) || group.keys.has(key))
    groups = groups.filter((group) => !near.includes(group))
    groups.push({
      codes: new Set([code, ...near.flatMap((group) => [...group.codes])]),
      keys: new Set([key, ...near.flatMap((group) => [...group.keys])]),
      isFew: isFew || near.some((group) => group.isFew),
    })
  }
  return new Set(groups.flatMap(({ keys, isFew }) => (isFew && keys.size > 1 ? [...keys] : [])))
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
