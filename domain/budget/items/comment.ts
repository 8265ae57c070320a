import { z } from 'zod'

/** What a comment can be about: the budget, a budget code, a contract or an entry. */
export const commentKinds = ['budget', 'code', 'contract', 'entry'] as const
export type CommentKind = (typeof commentKinds)[number]

/** Something somebody said of a figure, sealed, and by whom it was settled. */
export interface Comment {
  id: string
  about: { kind: CommentKind; ref: string | null; year: number | null }
  sealedText: string
  byId: number
  at: string
  resolvedById: number | null
  resolvedAt: string | null
  /** Whom it mentions; the text names them by these ids too, so that no name stands in it. */
  mentionIds?: number[]
}

export const commentInput = z.object({
  about: z
    .object({
      kind: z.enum(commentKinds, 'Choose what the comment is about.'),
      ref: z.string().max(24).nullish(),
      year: z.number().int().min(0).max(4).nullish(),
    })
    .refine(({ kind, ref }) => kind === 'budget' || ref, 'Choose what the comment is about.'),
  text: z.string('Comment is required.').trim().min(1, 'Comment is required.').max(2000, 'Comment can have at most 2000 characters.'),
  mentionIds: z.array(z.int()).max(20, 'A comment can mention at most 20 people.').optional(),
})
export type CommentInput = z.infer<typeof commentInput>

/** A text in which people are named by their ids, as it is kept. @param people who are mentioned */
export function withoutNames(text: string, people: readonly { id: number; name: string }[]): string {
  // The longest name first: nobody is taken for somebody whose name begins like theirs.
  const sorted = [...people].sort((a, b) => b.name.length - a.name.length)
  return sorted.reduce((rest, { id, name }) => rest.replaceAll(`@${name}`, `@[${id}]`), text)
}

/** The same text as people read it. */
export function withNames(text: string, nameOf: (id: number) => string): string {
  return text.replace(/@\[(\d{1,10})\]/g, (_all, id: string) => `@${nameOf(Number(id))}`)
}
