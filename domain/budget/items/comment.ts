import { z } from 'zod'
import type { SpokenReport } from '../../reports/cells/cells.ts'
import type { ColumnType } from '../../reports/report.ts'
import type { BudgetGroupId, UserId } from '../../values/ids.ts'
import { isOneOf } from '../../values/keysOf.ts'

/** What a comment of a budget can be about: the budget, a budget code, a contract or an entry. */
export const commentKinds = ['budget', 'code', 'contract', 'entry'] as const
export type CommentKind = (typeof commentKinds)[number]

/** What is done with a comment once it is said. */
export const commentChanges = ['resolve', 'reopen', 'delete', 'restore'] as const
export type CommentChange = (typeof commentChanges)[number]

/** A figure of a report as it was when something was said of it: where it stands, and what it came to. */
export interface SpokenCell {
  report: SpokenReport
  /** Whose budgets the report was over; null: the budget alone in which the comment stands. */
  groupId: BudgetGroupId | null
  /** What the row is called (`rowKeys`), the key of its column, and what the rows were put together by. */
  row: string
  column: string
  scheme: number
  /** The row and the column in words; a row of one contract is called by who holds it, which is not kept here. */
  label: string | null
  title: string
  /** Whole pennies of money. */
  value: number | string | null
  type: ColumnType
  /** The figure is told to those alone who may see staff. */
  isOfStaff: boolean
}

/** What a comment is about. */
export type About =
  | { kind: CommentKind; ref: string | null; year: number | null; cell?: undefined }
  | { kind: 'cell'; ref: null; year: null; cell: SpokenCell }

/** Whether two comments are about the same thing, and so parts of one conversation. */
export function isSameThing(a: About, b: About): boolean {
  if (!a.cell || !b.cell) return a.kind === b.kind && a.ref === b.ref
  const parts = ['report', 'groupId', 'row', 'column'] as const
  return parts.every((part) => a.cell[part] === b.cell[part])
}

/** Something somebody said of a figure, sealed, and by whom it was settled. */
export interface Comment {
  id: string
  about: About
  sealedText: string
  byId: UserId
  at: string
  resolvedById: UserId | null
  resolvedAt: string | null
  /** Whom it mentions; the text names them by these ids too, so that no name stands in it. */
  mentionIds?: UserId[]
}

const said = {
  text: z.string('Comment is required.').trim().min(1, 'Comment is required.').max(2000, 'Comment can have at most 2000 characters.'),
  mentionIds: z.array(z.int().brand<'UserId'>()).max(20, 'A comment can mention at most 20 people.').optional(),
}

/** What is said, and whom it mentions. */
export const saidInput = z.object(said)
export type Said = z.infer<typeof saidInput>

export const commentInput = z.object({
  about: z
    .object({
      kind: z.enum(commentKinds, 'Choose what the comment is about.'),
      ref: z.string().max(24).nullish(),
      year: z.number().int().min(0).max(4).nullish(),
    })
    .refine(({ kind, ref }) => (kind === 'budget') === !ref, 'Choose what the comment is about.'),
  ...said,
})
export type CommentInput = z.infer<typeof commentInput>

/** A text in which people are named by their ids, as it is kept. @param people who are mentioned */
export function withoutNames(text: string, people: readonly { id: number; name: string }[]): string {
  // The longest name first: nobody is taken for somebody whose name begins like theirs.
  const sorted = [...people].sort((a, b) => b.name.length - a.name.length)
  return sorted.reduce((rest, { id, name }) => rest.replaceAll(`@${name}`, `@[${id}]`), text)
}

/** The same text as people read it. Who is not mentioned is not named: somebody typed such a number themselves. */
export function withNames(
  { text, mentionIds = [] }: { text: string; mentionIds?: readonly UserId[] | undefined },
  nameOf: (id: number) => string,
): string {
  return text.replace(/@\[(\d{1,10})\]/g, (typed, id: string) => (isOneOf(mentionIds, Number(id)) ? `@${nameOf(Number(id))}` : typed))
}
