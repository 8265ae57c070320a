/** A query of `answerCache`, whose replies are cached by input. */
interface CachedQuery<Input, Answer> {
  cancel(input: Input): Promise<void>
  getData(input: Input): Answer | undefined
  setData(input: Input, answer: NoInfer<Answer> | undefined): unknown
  refetch(input: Input): Promise<void>
}

/** The query whose cached reply shows a change before the server confirms it, and the input of the query. */
export interface OptimisticQuery<Input, Answer> {
  query: CachedQuery<Input, Answer>
  input: Input
}

/**
 * Shows a change before the server confirms it. If the server refuses, the previous reply is shown again and the caller shows the error.
 * @param change returns the cached reply with the change applied
 * @param save sends the change
 * @throws the error that `save` throws
 */
export async function updateOptimistically<Input, Answer, Saved>(
  { query, input }: OptimisticQuery<Input, Answer>,
  change: (now: Answer) => Answer,
  save: () => Promise<Saved>,
): Promise<Saved> {
  // If there is no cached reply, the change cannot be shown.
  if (query.getData(input) === undefined) return save()
  // A fetch that began before the change would overwrite the change.
  await query.cancel(input)
  const before = query.getData(input)
  if (before !== undefined) query.setData(input, change(before))
  const shown = query.getData(input)
  try {
    return await save()
  } catch (error) {
    // If the cache has changed since then, only the server knows the correct reply.
    if (before !== undefined && query.getData(input) === shown) query.setData(input, before)
    void query.refetch(input)
    throw error
  }
}
