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
}

export const commentInput = z.object({
  about: z.object({
    kind: z.enum(commentKinds, 'Choose what the comment is about.'),
    ref: z.string().max(24).nullish(),
    year: z.number().int().min(0).max(4).nullish(),
  }),
  text: z.string('Comment is required.').trim().min(1, 'Comment is required.').max(2000, 'Comment can have at most 2000 characters.'),
})
export type CommentInput = z.infer<typeof commentInput>
