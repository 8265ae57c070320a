import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { noticeTimeoutMs } from '../../domain/notices.ts'
import { Hint } from '../ui/Hint.tsx'
import { problemOf } from './api.ts'
import { keepNews } from './news.ts'

/** A positive notice, in the words of domain/notices.ts; with a way back where there is one. */
export function said(message: string, undo?: () => void): void {
  keepNews(message, 'good', new Date())
  const id = crypto.randomUUID()
  const back = (): void => {
    notifications.hide(id)
    undo?.()
  }
  const shown = undo ? (
    <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      <span>{message}</span>
      <Button size="compact-sm" variant="subtle" onClick={back} rightSection={<Hint>Ctrl Z</Hint>}>
        Undo
      </Button>
    </span>
  ) : (
    message
  )
  notifications.show({ id, message: shown, color: 'teal', autoClose: noticeTimeoutMs, withBorder: true })
}

/** One negative notice for a failed call. */
export function failed(error: unknown): void {
  const { message, kind } = problemOf(error)
  if (kind === 'signIn') return
  keepNews(message, 'bad', new Date())
  notifications.show({ message, color: 'red', autoClose: noticeTimeoutMs, withBorder: true })
}

/**
 * Something that happened elsewhere: a message, a change that others made.
 * @param topic of news that come again and again only the last is shown
 */
export function told(title: string, message: string, isWarning = false, topic?: string): void {
  keepNews(`${title}: ${message}`, 'plain', new Date())
  const notice = { id: topic, title, message, color: isWarning ? 'orange' : undefined, autoClose: noticeTimeoutMs, withBorder: true }
  if (topic) notifications.update({ ...notice, id: topic })
  notifications.show(notice)
}

/** A failure that no call of this page caused. */
export function failedElsewhere(message: string): void {
  keepNews(message, 'bad', new Date())
  notifications.show({ message, color: 'red', autoClose: noticeTimeoutMs, withBorder: true })
}

/** Offers a file to save. */
export function download({ fileName, contentType, body }: { fileName: string; contentType: string; body: string | Blob }): void {
  const url = URL.createObjectURL(new Blob([body], { type: contentType }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
