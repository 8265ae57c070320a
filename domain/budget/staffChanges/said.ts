/** A contract of the budget as it is met by what another system says. */
export interface MetContract {
  id: string
  employee: string
  contractName: string
}

/** What another system says of a contract. */
export interface SaidContract {
  employee: string
  /** Empty: it does not say. */
  contractName: string
}

const keyOf = (...parts: string[]): string => parts.map((part) => part.trim().toLowerCase()).join('\n')

/**
 * Which contract of the budget each said one is: the one of that employee and name; else, where the employee has one contract on each side
 * that met none by name, these two. Other systems call posts as they like, and a name alone is no other contract.
 * @returns by the place of the said one the id of the contract, and the ids of contracts that nothing was said of
 */
export function metContracts(
  said: readonly SaidContract[],
  contracts: readonly MetContract[],
): { met: Map<number, string>; unsaid: Set<string> } {
  const met = new Map<number, string>()
  const unsaid = new Set(contracts.map(({ id }) => id))
  const meet = (index: number, id: string): void => {
    met.set(index, id)
    unsaid.delete(id)
  }
  const named = new Map(contracts.map(({ id, employee, contractName }) => [keyOf(employee, contractName), id]))
  for (const [index, { employee, contractName }] of said.entries()) {
    const id = named.get(keyOf(employee, contractName))
    if (id && unsaid.has(id)) meet(index, id)
  }
  const saidOf = grouped(said.map(({ employee }, index) => [keyOf(employee), index] as const).filter(([, index]) => !met.has(index)))
  const heldBy = grouped(contracts.filter(({ id }) => unsaid.has(id)).map(({ id, employee }) => [keyOf(employee), id] as const))
  for (const [employee, indexes] of saidOf) {
    const [index, ...otherSaid] = indexes
    const [id, ...otherHeld] = heldBy.get(employee) ?? []
    if (index !== undefined && id && !otherSaid.length && !otherHeld.length) meet(index, id)
  }
  return { met, unsaid }
}

function grouped<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const [key, value] of pairs) {
    const own = groups.get(key)
    if (own) own.push(value)
    else groups.set(key, [value])
  }
  return groups
}

/** The day that the name of a file says, such as `staff-2026-11-24.csv`; null when it says none, or more than one. */
export function dayInName(name: string): string | null {
  const said = new Set(
    [...name.matchAll(/(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)/g)].map(([, ...parts]) =>
      parts.slice(0, 3).join('-'),
    ),
  )
  const [only] = said
  return said.size === 1 && only ? only : null
}
