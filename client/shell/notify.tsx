import { Button } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore, updateNotificationsState } from '@mantine/notifications'
import { displayCount } from '../../domain/values/format.ts'
import { notices, noticeTimeoutMs } from '../../domain/words/notices.ts'
import { Hint } from '../ui/labels/Hint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { problemOf } from './api.ts'
import { keepNews } from './news.ts'
import { currentSelection } from './selection.ts'

/** Shows a notice for its time; while somebody is in it, with the pointer or with the keyboard, it stays (behaviours B-277 and B-278). */
function show(notice: NotificationData): void {
  const id = notice.id ?? crypto.randomUUID()
  // A pointer that rests on it the notice minds by itself.
  const closeAfter = (autoClose: number | false): void =>
    updateNotificationsState(notificationsStore, (all) => all.map((one) => (one.id === id ? { ...one, autoClose } : one)))
  notifications.show({
    ...notice,
    id,
    autoClose: noticeTimeoutMs,
    withBorder: true,
    onFocusCapture: () => closeAfter(false),
    onBlurCapture: () => closeAfter(noticeTimeoutMs),
  })
}

/** A positive notice, in the words of domain/words/notices.ts; with a way back where there is one. */
export function said(message: string, undo?: () => void): void {
  keepNews(message, 'good', new Date())
  if (undo) show({ ...withButton(message, { label: 'Undo', keys: 'Ctrl Z', run: undo }), color: 'teal' })
  else sayAgain(message)
}

/** How often a notice was given that still stands. */
const standing = new Map<string, number>()

/** A notice that is given again while it stands is counted: thirty notes that are saved one after the other are one notice, not a pile. */
function sayAgain(message: string): void {
  const id = `said ${message}`
  const times = (standing.get(id) ?? 0) + 1
  standing.set(id, times)
  const counted = (
    <>
      <span>{message}</span>
      {times > 1 && <span className={textStyles.dim}> {displayCount(times, 'time')}</span>}
    </>
  )
  const notice: NotificationData = { id, message: counted, color: 'teal', onClose: () => standing.delete(id) }
  if (times > 1) notifications.update({ ...notice, id })
  show(notice)
}

/** A notice with something to press, which goes once it is pressed. */
function withButton(message: string, { label, keys, run }: { label: string; keys?: string; run: () => void }): NotificationData {
  const id = crypto.randomUUID()
  const press = (): void => {
    notifications.hide(id)
    run()
  }
  const shown = (
    <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      <span>{message}</span>
      <Button size="compact-sm" variant="subtle" style={{ flex: 'none' }} onClick={press} rightSection={keys && <Hint>{keys}</Hint>}>
        {label}
      </Button>
    </span>
  )
  return { id, message: shown }
}

/** The way back from what was done last: what several parts of a page could take back by Ctrl Z, only one of them does. */
let newest: (() => void) | null = null
/** The same, where it holds on any page: what was deleted is not looked for on the page that it was deleted from. */
let onAnyPage: (() => void) | null = null

/** Makes a way back the one that Ctrl Z takes. */
export function offerUndo(undo: () => void): void {
  newest = undo
}

/**
 * The way back from a deletion, for its notice and for Ctrl Z, wherever somebody goes next.
 * @param work takes it back
 * @param notice null where the work says itself what came of it
 */
export function wayBack(work: () => Promise<unknown>, notice: string | null = notices.saved): () => void {
  const { organisationId } = currentSelection()
  const undo = (): void => {
    // Calls go to the organisation that is selected by then: there it would be done to others.
    if (currentSelection().organisationId !== organisationId) {
      failedElsewhere('This was done in another organisation. Choose that one again, then undo it.')
      return
    }
    if (onAnyPage === undo) onAnyPage = null
    work().then(() => notice !== null && said(notice), failed)
  }
  onAnyPage = undo
  offerUndo(undo)
  return undo
}

/** Ctrl Z on any page: takes back what was deleted last, where nothing was done since that could be taken back instead. */
export function undoOnAnyPage(): void {
  if (onAnyPage && isNewestUndo(onAnyPage)) onAnyPage()
}

/** Whether nothing was done since that could be taken back instead. */
export function isNewestUndo(undo: () => void): boolean {
  return newest === undo
}

/** One negative notice for a failed call. */
export function failed(error: unknown): void {
  fail(error)
}

/** The same of something that was typed and shows no longer. @param again sends it once more */
export function putBack(error: unknown, again: () => void): void {
  fail(error, again)
}

function fail(error: unknown, again?: () => void): void {
  const { message, kind } = problemOf(error)
  if (kind === 'signIn') return
  keepNews(message, 'bad', new Date())
  show({ ...(again ? withButton(message, { label: 'Try again', run: again }) : { message }), color: 'red' })
}

/**
 * Something that happened elsewhere: a message, a change that others made.
 * @param topic of news that come again and again only the last is shown
 */
export function told(title: string, { message, isWarning = false, topic }: { message: string; isWarning?: boolean; topic?: string }): void {
  keepNews(`${title}: ${message}`, 'plain', new Date())
  const notice = { id: topic, title, message, color: isWarning ? 'orange' : undefined }
  if (topic) notifications.update({ ...notice, id: topic })
  show(notice)
}

/** A failure that no call of this page caused. */
export function failedElsewhere(message: string): void {
  keepNews(message, 'bad', new Date())
  show({ message, color: 'red' })
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
