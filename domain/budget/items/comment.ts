import { z } from 'zod'
import type { CommentableReport } from '../../reports/cells/cells.ts'
import type { ColumnType } from '../../reports/report.ts'
import type { BudgetGroupId, UserId } from '../../values/ids.ts'
import { isOneOf } from '../../values/keysOf.ts'

export const commentKinds = ['budget', 'code', 'contract', 'entry'] as const
export type CommentKind = (typeof commentKinds)[number]

export const commentActions = ['resolve', 'reopen', 'delete', 'restore'] as const
export type CommentAction = (typeof commentActions)[number]

/** The figure of a report that a comment is about, with its value when the comment was written. */
export interface CommentedCell {
  report: CommentableReport
  /** The group whose budgets the report covered; null if it covered only the budget that the comment belongs to. */
  groupId: BudgetGroupId | null
  /** Key of the row (see `createRowKeys`), key of the column, and the grouping of the rows. */
  row: string
  column: string
  scheme: number
  /** Label of the row and title of the column. A row of one contract has no stored label, because the label would name its holder. */
  label: string | null
  title: string
  /** Money in whole pennies. */
  value: number | string | null
  type: ColumnType
  /** Whether the figure is visible only to readers with staffing permissions. */
  isOfStaff: boolean
}

/** What a comment is about. `ref` is the id of the code, contract or entry. */
export type CommentSubject =
  | { kind: CommentKind; ref: string | null; year: number | null; cell?: undefined }
  | { kind: 'cell'; ref: null; year: null; cell: CommentedCell }

/** Whether two comments belong to the same conversation. */
export function isSameSubject(a: CommentSubject, b: CommentSubject): boolean {
  if (!a.cell || !b.cell) return a.kind === b.kind && a.ref === b.ref
  const parts = ['report', 'groupId', 'row', 'column'] as const
  return parts.every((part) => a.cell[part] === b.cell[part])
}

/** A comment with encrypted text, its subject, and who resolved it. */
export interface Comment {
  id: string
  about: CommentSubject
  sealedText: string
  byId: UserId
  at: string
  resolvedById: UserId | null
  resolvedAt: string | null
  /** People who are mentioned. The text refers to them by these ids, so it contains no names. */
  mentionIds?: UserId[]
}

const commentText = {
  text: z.string('Comment is required.').trim().min(1, 'Comment is required.').max(2000, 'Comment can have at most 2000 characters.'),
  mentionIds: z.array(z.int().brand<'UserId'>()).max(20, 'A comment can mention at most 20 people.').optional(),
}

export const commentTextInput = z.object(commentText)
export type CommentText = z.infer<typeof commentTextInput>

export const commentInput = z.object({
  about: z
    .object({
      kind: z.enum(commentKinds, 'Choose what the comment is about.'),
      ref: z.string().max(24).nullish(),
      year: z.number().int().min(0).max(4).nullish(),
    })
    .refine(({ kind, ref }) => (kind === 'budget') === !ref, 'Choose what the comment is about.'),
  ...commentText,
})
export type CommentInput = z.infer<typeof commentInput>

/** Replaces names with ids for storing. @param people the people who are mentioned */
export function replaceNamesWithUserIds(text: string, people: readonly { id: number; name: string }[]): string {
  // Longest name first, so that a name is not mistaken for a shorter one that it begins with.
  const sorted = [...people].sort((a, b) => b.name.length - a.name.length)
  return sorted.reduce((rest, { id, name }) => rest.replaceAll(`@${name}`, `@[${id}]`), text)
}

/** Replaces ids with names for reading. The author typed any id of a person who is not mentioned, so that id stays. */
export function replaceUserIdsWithNames(
  { text, mentionIds = [] }: { text: string; mentionIds?: readonly UserId[] | undefined },
  nameOf: (id: number) => string,
): string {
  return text.replace(/@\[(\d{1,10})\]/g, (typed, id: string) => (isOneOf(mentionIds, Number(id)) ? `@${nameOf(Number(id))}` : typed))
}
