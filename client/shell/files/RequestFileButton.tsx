import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { notifyFailure } from '../notify.tsx'
import { FileProgress } from './FileProgress.tsx'
import { useRequestedFile } from './useRequestedFile.ts'

/**
 * Requests a file from a worker, shows the progress instead of the button, and downloads the file. Afterwards the button has the focus
 * again.
 */
export function RequestFileButton({
  title,
  label,
  isDisabled,
  ask,
}: {
  /** What the file contains. */
  title: string
  label: string
  isDisabled?: boolean
  ask: () => Promise<{ id: string }>
}) {
  const file = useRequestedFile()
  const buttonFrame = useRef<HTMLSpanElement>(null)
  const hadFocus = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const isInProgress = file.percent !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus when one button replaces the other
  useEffect(() => {
    if (hadFocus.current && !buttonFrame.current?.contains(document.activeElement)) buttonFrame.current?.querySelector('button')?.focus()
  }, [isInProgress])
  const start = async (): Promise<void> => {
    setAsking(true)
    try {
      file.follow((await ask()).id)
    } catch (error) {
      notifyFailure(error)
    }
    setAsking(false)
  }
  return (
    <span
      ref={buttonFrame}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={({ relatedTarget }) => {
        // When the button unmounts, it loses the focus without a next element. This does not mean that the user has moved the focus.
        if (relatedTarget) hadFocus.current = false
      }}
    >
      {file.percent !== null ? (
        <FileProgress title={title} percent={file.percent} onCancel={file.cancel} />
      ) : (
        <Button variant="default" disabled={isDisabled} loading={isAsking} onClick={() => void start()}>
          {label}
        </Button>
      )}
    </span>
  )
}
