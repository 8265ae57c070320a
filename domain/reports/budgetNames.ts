/** A budget that stands beside others in a report. */
export interface NamedBudget {
  name: string
  location: { id: number; name: string }
}

/** What a budget is called beside others: schools that copy a name from each other are told apart by their own. */
export function nameAmong({ name, location }: NamedBudget, all: readonly NamedBudget[]): string {
  if (all.every((one) => one.location.id === location.id)) return name
  return all.every((one) => one.name === name) ? location.name : `${location.name}: ${name}`
}
