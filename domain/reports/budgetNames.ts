export interface ComparedBudget {
  name: string
  location: { id: number; name: string }
}

/** The name of a budget in a comparison. If budgets of several schools have the same name, the school's name distinguishes them. */
export function formatComparedBudgetName({ name, location }: ComparedBudget, all: readonly ComparedBudget[]): string {
  if (all.every((one) => one.location.id === location.id)) return name
  return all.every((one) => one.name === name) ? location.name : `${location.name}: ${name}`
}
