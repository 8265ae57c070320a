import type { requestedFiles } from '../../../drizzle/fileTables.ts'

export type FileRow = typeof requestedFiles.$inferSelect

/** A file as its owner sees it. */
export interface ShownFile {
  id: string
  title: string
  requestedAt: string
  state: 'making' | 'made' | 'failed' | 'cancelled'
  percent: number
  failure: string | null
  /** The time at which it is deleted. */
  until: string
}

type Listed = Pick<FileRow, 'id' | 'title' | 'requestedAt' | 'percent' | 'failure' | 'cancelledAt' | 'madeAt'>

export function presentFile({ cancelledAt, madeAt, ...row }: Listed, daysKept: number): ShownFile {
  const state = madeAt ? 'made' : cancelledAt ? 'cancelled' : row.failure ? 'failed' : 'making'
  return { ...row, state, until: new Date(new Date(row.requestedAt).getTime() + daysKept * 86_400_000).toISOString() }
}
