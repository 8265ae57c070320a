/** A cached query as `cache` offers it, by its input. */
interface Kept<Asked, Answer> {
  cancel(asked: Asked): Promise<void>
  getData(asked: Asked): Answer | undefined
  setData(asked: Asked, answer: NoInfer<Answer> | undefined): unknown
  refetch(asked: Asked): Promise<void>
}

/** The cached answer in which a change shows, and the input of its query. */
export interface ShownIn<Asked, Answer> {
  kept: Kept<Asked, Answer>
  asked: Asked
}

/**
 * Shows a change before the server confirms it. If the server refuses, the previous answer returns and the caller shows
 * the error.
 * @param change the answer with the change applied
 * @param save sends the change
 * @throws whatever `save` throws
 */
export async function atOnce<Asked, Answer, Saved>(
  { kept, asked }: ShownIn<Asked, Answer>,
  change: (now: Answer) => Answer,
  save: () => Promise<Saved>,
): Promise<Saved> {
  // With no answer cached, there is nowhere to show the change.
  if (kept.getData(asked) === undefined) return save()
  // A fetch that began before the change would overwrite it.
  await kept.cancel(asked)
  const before = kept.getData(asked)
  if (before !== undefined) kept.setData(asked, change(before))
  const shown = kept.getData(asked)
  try {
    return await save()
  } catch (error) {
    // If the cache has changed since, only the server knows the right answer.
    if (before !== undefined && kept.getData(asked) === shown) kept.setData(asked, before)
    void kept.refetch(asked)
    throw error
  }
}
