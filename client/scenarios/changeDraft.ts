import { type ScenarioChange, scenarioChange } from '../../domain/budget/items/scenario.ts'

export const scenarioChangeKinds: { value: ScenarioChange['kind']; label: string }[] = [
  { value: 'award', label: 'Another pay award' },
  { value: 'removePost', label: 'A post removed' },
  { value: 'hours', label: 'Different hours for a post' },
  { value: 'entry', label: 'Increase or reduce an entry' },
  { value: 'newEntry', label: 'A new entry' },
  { value: 'pupils', label: 'More or fewer pupils' },
]

/** A change that the user is editing. Fields may be missing. */
export type ScenarioChangeDraft = { kind: ScenarioChange['kind'] } & Record<string, unknown>

/**
 * Validates a draft.
 * @returns the change, or a problem for each invalid field
 */
export function validateChange(draft: ScenarioChangeDraft): { change: ScenarioChange } | { problems: Record<string, string> } {
  const read = scenarioChange.safeParse(draft)
  if (read.success) return { change: read.data }
  const problems: Record<string, string> = {}
  for (const { path, message } of read.error.issues) problems[String(path[0])] ??= message.endsWith('.') ? message : 'Choose from the list.'
  return { problems }
}
