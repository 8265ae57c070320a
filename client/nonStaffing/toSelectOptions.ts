/** Converts records to options for a select, labelled with code and description. */
export function toSelectOptions(
  list: readonly { id: number; code: string; description: string; isOffered: boolean }[],
  kept: number | null = null,
) {
  return list
    .filter((one) => one.isOffered || one.id === kept)
    .map((one) => ({ value: String(one.id), label: `${one.code} ${one.description}`.trim() }))
}
