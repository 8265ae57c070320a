export interface BudgetContractName {
  id: string
  employee: string
  contractName: string
}

export interface ReportedContractName {
  employee: string
  /** Empty if the other system sends no name. */
  contractName: string
}

const keyOf = (...parts: string[]): string => parts.map((part) => part.trim().toLowerCase()).join('\n')

/**
 * Matches the contracts that another system reports to contracts of the budget: by employee and name, or else, if an employee has exactly
 * one unmatched contract on each side, those two. Other systems name posts differently, so a different name alone does not make a different
 * contract.
 * @returns `matched`: contract ids by index of the report; `unreported`: contracts of the budget that were not reported
 */
export function matchContracts(
  reported: readonly ReportedContractName[],
  contracts: readonly BudgetContractName[],
): { matched: Map<number, string>; unreported: Set<string> } {
  const matched = new Map<number, string>()
  const unreported = new Set(contracts.map(({ id }) => id))
  const match = (index: number, id: string): void => {
    matched.set(index, id)
    unreported.delete(id)
  }
  const named = new Map(contracts.map(({ id, employee, contractName }) => [keyOf(employee, contractName), id]))
  for (const [index, { employee, contractName }] of reported.entries()) {
    const id = named.get(keyOf(employee, contractName))
    if (id && unreported.has(id)) match(index, id)
  }
  const reportedByEmployee = groupByKey(
    reported.map(({ employee }, index) => [keyOf(employee), index] as const).filter(([, index]) => !matched.has(index)),
  )
  const heldBy = groupByKey(contracts.filter(({ id }) => unreported.has(id)).map(({ id, employee }) => [keyOf(employee), id] as const))
  for (const [employee, indexes] of reportedByEmployee) {
    const [index, ...otherSaid] = indexes
    const [id, ...otherHeld] = heldBy.get(employee) ?? []
    if (index !== undefined && id && !otherSaid.length && !otherHeld.length) match(index, id)
  }
  return { matched, unreported }
}

function groupByKey<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const [key, value] of pairs) {
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

/** The date in a file name such as `staff-2026-11-24.csv`; null if it has none or more than one. */
export function findDayInFileName(name: string): string | null {
  const days = new Set(
    [...name.matchAll(/(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)/g)].map(([, ...parts]) =>
      parts.slice(0, 3).join('-'),
    ),
  )
  const [only] = days
  return days.size === 1 && only ? only : null
}
