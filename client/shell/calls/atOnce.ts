/** An answer of the server that is kept, as the calls of `cache` offer it: what it was asked comes first. */
interface Kept<Asked, Answer> {
  cancel(asked: Asked): Promise<void>
  getData(asked: Asked): Answer | undefined
  setData(asked: Asked, answer: NoInfer<Answer> | undefined): unknown
  refetch(asked: Asked): Promise<void>
}

/** The kept answer that shows a change, and what that was asked. */
export interface ShownIn<Asked, Answer> {
  kept: Kept<Asked, Answer>
  asked: Asked
}

/**
 * Shows a change before the server has answered, where nobody should have to wait for the screen to follow. Where the server refuses it, what
 * stood before stands again, and the refusal is the caller's to say; what was typed stays with whoever has it.
 * @param change what the answer is with the change
 * @param save sends the change
 * @throws what saving throws
 */
export async function atOnce<Asked, Answer, Saved>(
  { kept, asked }: ShownIn<Asked, Answer>,
  change: (now: Answer) => Answer,
  save: () => Promise<Saved>,
): Promise<Saved> {
  // Where nothing stands yet there is nothing to show it in: what is being read comes first.
  if (kept.getData(asked) === undefined) return save()
  // What is being read was asked for before the change, and would take it away again.
  await kept.cancel(asked)
  const before = kept.getData(asked)
  if (before !== undefined) kept.setData(asked, change(before))
  const shown = kept.getData(asked)
  try {
    return await save()
  } catch (error) {
    // Where something else was shown since, the server alone knows what stands without this change.
    if (before !== undefined && kept.getData(asked) === shown) kept.setData(asked, before)
    void kept.refetch(asked)
    throw error
  }
}
