import { notifications } from '@mantine/notifications'
import { noticeTimeoutMs } from '../../domain/notices.ts'
import { problemOf } from './api.ts'

/** A positive notice, in exactly the words of spec 2 §8. */
export function said(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: noticeTimeoutMs, withBorder: true })
}

/** One negative notice for a failed call (spec 2 §8). */
export function failed(error: unknown): void {
  const { message, kind } = problemOf(error)
  if (kind === 'signIn') return
  notifications.show({ message, color: 'red', autoClose: noticeTimeoutMs, withBorder: true })
}

/** Offers a file to save. */
export function download({ fileName, contentType, body }: { fileName: string; contentType: string; body: string }): void {
  const url = URL.createObjectURL(new Blob([body], { type: contentType }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
