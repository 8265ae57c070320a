/** Converts records to options for a select, labelled with code and description. */
export function listSelectOptions(
  list: readonly { id: number; code: string; description: string; isOffered: boolean }[],
  chosenId: number | null = null,
) {
  return list
    .filter((one) => one.isOffered || one.id === chosenId)
    .map((one) => ({ value: String(one.id), label: `${one.code} ${one.description}`.trim() }))
}
