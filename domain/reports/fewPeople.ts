import type { ContractYearCost, StaffingContract } from './facts.ts'

/**
 * Groups of fewer people than this are never shown separately to readers without staffing permissions, because their cost would reveal
 * individual pay.
 */
export const minimumPeopleShown = 3

const parts = ['basic', 'allowances', 'leave', 'ni', 'pension'] as const

/** A key under which figures are shown, and the people whose pay they include. */
export interface KeyWithPeople<K> {
  key: K
  people: ReadonlySet<string>
}

/**
 * Finds the keys to merge: those with one or two people. If fewer than three people have these keys, the keys with the fewest other people
 * are added until there are three people.
 */
export function findKeysToMerge<K>(all: readonly KeyWithPeople<K>[]): Set<K> {
  const counted = [...all].sort((a, b) => b.people.size - a.people.size)
  const shown = counted.filter(({ people }) => people.size >= minimumPeopleShown)
  const few = counted.filter(({ people }) => people.size > 0 && people.size < minimumPeopleShown)
  const people = new Set(few.flatMap((one) => [...one.people]))
  while (few.length && people.size < minimumPeopleShown) {
    const next = shown.pop()
    if (!next) break
    few.push(next)
    for (const person of next.people) people.add(person)
  }
  return new Set(few.map(({ key }) => key))
}

/** The pay of each person in a year, by a key that does not identify the person; null if part of the pay is not calculated. */
export type YearlyPay = ReadonlyMap<string, number | null>

export function findPeopleWithDifferentPay(a: YearlyPay, b: YearlyPay): Set<string> {
  return new Set([...a.keys(), ...b.keys()].filter((person) => (a.get(person) ?? 0) !== (b.get(person) ?? 0)))
}

export function differsByFewPeople(a: YearlyPay, b: YearlyPay): boolean {
  const { size } = findPeopleWithDifferentPay(a, b)
  return size > 0 && size < minimumPeopleShown
}

/**
 * Finds items that may not be shown because the difference from an item already shown would reveal pay.
 * @param isClose whether the difference between two items must not be revealed
 * @returns each hidden item, with the shown item that it is too close to
 */
export function findItemsTooCloseToShown<T>(all: readonly T[], isClose: (a: T, b: T) => boolean): Map<T, T> {
  const shown: T[] = []
  const found = new Map<T, T>()
  for (const one of all) {
    const near = shown.find((other) => isClose(other, one))
    if (near === undefined) shown.push(one)
    else found.set(one, near)
  }
  return found
}

/** A code that has pay under a key of another grouping, such as a cost centre. */
export interface CodeUnderKey<C, K> {
  code: C
  key: K
  /** Whether, in any month, only one or two people are paid on the code under the key. */
  isFew: boolean
}

/**
 * Finds the keys whose pay must be hidden. If several keys share codes and any key has only one or two people on a code, the totals by code
 * would reveal the pay of these people.
 */
export function findKeysToHide<C, K>(codesByKey: readonly CodeUnderKey<C, K>[]): Set<K> {
  let groups: { codes: Set<C>; keys: Set<K>; isFew: boolean }[] = []
  for (const { code, key, isFew } of codesByKey) {
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

/** Adds the parts of a contract's cost in a year; null if any part could not be calculated. */
export function sumYearCost(year: ContractYearCost): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || year[part] === null ? null : sum + year[part]), 0)
}

/** Counts the people who hold the contracts; each vacancy counts as one person. */
export function countPeople(contracts: readonly Pick<StaffingContract, 'personId'>[]): number {
  const held = contracts.flatMap(({ personId }) => personId ?? [])
  return new Set(held).size + contracts.length - held.length
}

/**
 * Counts the people whom the contracts pay in a year.
 * @param year index of the year in the report
 */
export function countPeoplePaid(contracts: readonly StaffingContract[], year: number): number {
  return countPeople(contracts.filter(({ years }) => years[year] && sumYearCost(years[year]) !== 0))
}
