import { useEffect, useRef, useState } from 'react'
import { trpc } from '../api.ts'
import { notifyFailure } from '../notify.tsx'
import { awaitedFileIds } from './awaitedFiles.ts'
import { downloadReply } from './downloadReply.ts'

/** Polling interval of a file's progress, in milliseconds. */
const pollMs = 700

/** Downloads a finished file. */
export async function downloadStoredFile(id: string): Promise<void> {
  try {
    await downloadReply(`/api/Files/${id}`)
  } catch (error) {
    notifyFailure(error)
  }
}

/**
 * Follows a file that was requested on this page, and downloads the file when it is ready. If the user leaves the page, the file is listed
 * under Notifications.
 * @returns progress in per cent; null if no file is in progress
 */
export function useRequestedFile(): { follow: (id: string) => void; percent: number | null; cancel: () => void } {
  const [id, setId] = useState<string | null>(null)
  const ended = useRef<string | null>(null)
  const cancelling = trpc.files.cancel.useMutation({ onError: notifyFailure })
  const { data } = trpc.files.get.useQuery(
    { id: id ?? '' },
    {
      enabled: id !== null,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data && state.data.state !== 'making' ? false : pollMs),
    },
  )
  useEffect(() => {
    if (!data || data.id !== id || data.state === 'making' || ended.current === id) return
    ended.current = id
    if (data.state === 'made') void downloadStoredFile(data.id)
    if (data.state === 'failed') notifyFailure(new Error(data.failure ?? ''))
    setId(null)
  }, [data, id])
  useEffect(() => {
    if (id === null) return
    awaitedFileIds.add(id)
    return () => {
      // The live message about a file may arrive after this page has downloaded the file, so it is ignored for a while. If the user has
      // left the page, it becomes a notice.
      if (ended.current === id) setTimeout(() => awaitedFileIds.delete(id), 5000)
      else awaitedFileIds.delete(id)
    }
  }, [id])
  return {
    follow: setId,
    percent: id === null ? null : data?.id === id ? data.percent : 0,
    cancel: () => {
      if (id) cancelling.mutate({ id })
      ended.current = id
      setId(null)
    },
  }
}
