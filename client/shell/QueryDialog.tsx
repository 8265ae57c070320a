import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { LoadFailed } from './LoadFailed.tsx'

/** A dialog that loads data before it shows its content. */
export function QueryDialog<Data>({
  title,
  query,
  children,
  onClose,
}: {
  title: string
  query: { data: Data | undefined; isLoadingError: boolean; error: unknown; refetch: () => Promise<unknown> }
  children: (data: Data) => ReactNode
  onClose: () => void
}) {
  return (
    <Dialog onClose={onClose} title={title}>
      {query.isLoadingError ? <LoadFailed query={query} /> : query.data === undefined ? <Skeleton height={160} /> : children(query.data)}
    </Dialog>
  )
}
