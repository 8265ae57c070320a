import type { ReactNode } from 'react'
import type { StableForm } from '../resources/editor/useStableForm.ts'
import { toPublicError } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { isMongoId } from './isMongoId.ts'

/** Loads the record whose id is in the URL, then renders its editor. Nothing is loaded for a new record. */
export function RecordLoader<Saved>({
  form,
  query,
  missing,
  children,
}: {
  form: StableForm<Saved>
  query: { data: Saved | undefined; error: unknown; refetch: () => Promise<unknown> }
  /** Shown when the record does not exist. */
  missing: ReactNode
  /** @param loaded null for a new record */
  children: (loaded: Saved | null) => ReactNode
}): ReactNode {
  if (form.id === undefined) return children(null)
  if (!isMongoId(form.id) || (query.error && toPublicError(query.error).kind === 'notFound')) return missing
  const loaded = query.data ?? form.created
  if (loaded) return children(loaded)
  return query.error ? <LoadFailed query={query} /> : <Spinner />
}
