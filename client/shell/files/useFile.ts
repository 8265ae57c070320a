import { useEffect, useRef, useState } from 'react'
import { trpc } from '../api.ts'
import { failed } from '../notify.tsx'
import { awaitedFiles } from './awaitedFiles.ts'
import { saveReply } from './saveReply.ts'

/** Milliseconds between two looks how far a file is. */
const lookAgainMs = 700

/** Saves a file that a worker has made. */
export async function saveFile(id: string): Promise<void> {
  try {
    await saveReply(`/api/Files/${id}`)
  } catch (error) {
    failed(error)
  }
}

/**
 * Follows a file that was asked for on this page, and saves it once it is made. Who leaves the page finds it under Notifications.
 * @returns how far it is, in hundredths, while it is made; null otherwise
 */
export function useFile(): { follow: (id: string) => void; percent: number | null; cancel: () => void } {
  const [id, setId] = useState<string | null>(null)
  const ended = useRef<string | null>(null)
  const cancelling = trpc.files.cancel.useMutation({ onError: failed })
  const { data } = trpc.files.get.useQuery(
    { id: id ?? '' },
    {
      enabled: id !== null,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data && state.data.state !== 'making' ? false : lookAgainMs),
    },
  )
  useEffect(() => {
    if (!data || data.id !== id || data.state === 'making' || ended.current === id) return
    ended.current = id
    if (data.state === 'made') void saveFile(data.id)
    if (data.state === 'failed') failed(new Error(data.failure ?? ''))
    setId(null)
  }, [data, id])
  useEffect(() => {
    if (id === null) return
    awaitedFiles.add(id)
    return () => {
      // The notice of a file that was saved here may come after it. Whoever leaves the page before is told.
      if (ended.current === id) setTimeout(() => awaitedFiles.delete(id), 5000)
      else awaitedFiles.delete(id)
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
