import type { ReactNode } from 'react'
import type { SameForm } from '../resources/editor/useSameForm.ts'
import { problemOf } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { isMongoId } from './isMongoId.ts'

/** The editor of a page that adds records of the open budget and edits one by its id, when what it edits is read. */
export function OpenedRecord<Saved>({
  form,
  query,
  missing,
  children,
}: {
  form: SameForm<Saved>
  query: { data: Saved | undefined; error: unknown; refetch: () => Promise<unknown> }
  /** What is said where there is no such record. */
  missing: ReactNode
  /** @param loaded null for a new record */
  children: (loaded: Saved | null) => ReactNode
}): ReactNode {
  if (form.id === undefined) return children(null)
  if (!isMongoId(form.id) || (query.error && problemOf(query.error).kind === 'notFound')) return missing
  const loaded = query.data ?? form.made
  if (loaded) return children(loaded)
  return query.error ? <LoadFailed query={query} /> : <Spinner />
}
