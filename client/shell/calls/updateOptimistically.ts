/** A query of `answerCache`, by its input. */
interface CachedQuery<Input, Answer> {
  cancel(input: Input): Promise<void>
  getData(input: Input): Answer | undefined
  setData(input: Input, answer: NoInfer<Answer> | undefined): unknown
  refetch(input: Input): Promise<void>
}

/** The cached answer in which a change shows, and the input of its query. */
export interface OptimisticTarget<Input, Answer> {
  query: CachedQuery<Input, Answer>
  input: Input
}

/**
 * Shows a change before the server confirms it. If the server refuses, the previous answer returns and the caller shows
 * the error.
 * @param change the answer with the change applied
 * @param save sends the change
 * @throws whatever `save` throws
 */
export async function updateOptimistically<Input, Answer, Saved>(
  { query, input }: OptimisticTarget<Input, Answer>,
  change: (now: Answer) => Answer,
  save: () => Promise<Saved>,
): Promise<Saved> {
  // With no answer cached, there is nowhere to show the change.
  if (query.getData(input) === undefined) return save()
  // A fetch that began before the change would overwrite it.
  await query.cancel(input)
  const before = query.getData(input)
  if (before !== undefined) query.setData(input, change(before))
  const shown = query.getData(input)
  try {
    return await save()
  } catch (error) {
    // If the cache has changed since, only the server knows the right answer.
    if (before !== undefined && query.getData(input) === shown) query.setData(input, before)
    void query.refetch(input)
    throw error
  }
}
