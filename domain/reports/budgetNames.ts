/** A budget that a report compares with others. */
export interface NamedBudget {
  name: string
  location: { id: number; name: string }
}

/** The name of a budget in a comparison. Budgets of several schools with the same name are told apart by the names of the schools. */
export function nameAmong({ name, location }: NamedBudget, all: readonly NamedBudget[]): string {
  if (all.every((one) => one.location.id === location.id)) return name
  return all.every((one) => one.name === name) ? location.name : `${location.name}: ${name}`
}
