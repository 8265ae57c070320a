import { Button } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore, updateNotificationsState } from '@mantine/notifications'
import { displayCount } from '../../domain/values/format.ts'
import { notices, noticeTimeoutMs } from '../../domain/words/notices.ts'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { toPublicError } from './api.ts'
import { recordNotice } from './pastNotices.ts'
import { getSelection } from './selection.ts'

/** Shows a notice until its time has passed. The notice stays while the pointer or the focus is on it (behaviours B-277 and B-278). */
function show(notice: NotificationData): void {
  const id = notice.id ?? crypto.randomUUID()
  // The library pauses the timer for the pointer, so this handles only the focus.
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

/** Shows a success notice, with wording from domain/words/notices.ts and an optional undo button. */
export function notifySuccess(message: string, undo?: () => void): void {
  recordNotice(message, 'good', new Date())
  if (undo) show({ ...withButton(message, { label: 'Undo', keys: 'Ctrl Z', run: undo }), color: 'teal' })
  else countRepeat(message)
}

/** How many times each visible notice was raised, by message. */
const visibleCounts = new Map<string, number>()

/** Counts a notice that is already visible, so that saving thirty notes shows one notice and not thirty. */
function countRepeat(message: string): void {
  const id = `said ${message}`
  const times = (visibleCounts.get(id) ?? 0) + 1
  visibleCounts.set(id, times)
  const counted = (
    <>
      <span>{message}</span>
      {times > 1 && <span className={textStyles.dim}> {displayCount(times, 'time')}</span>}
    </>
  )
  const notice: NotificationData = { id, message: counted, color: 'teal', onClose: () => visibleCounts.delete(id) }
  if (times > 1) notifications.update({ ...notice, id })
  show(notice)
}

/** Builds a notice with a button that also closes the notice. */
function withButton(message: string, { label, keys, run }: { label: string; keys?: string; run: () => void }): NotificationData {
  const id = crypto.randomUUID()
  const press = (): void => {
    notifications.hide(id)
    run()
  }
  const shown = (
    <span style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      <span>{message}</span>
      <Button
        size="compact-sm"
        variant="subtle"
        style={{ flex: 'none' }}
        onClick={press}
        rightSection={keys && <ShortcutHint>{keys}</ShortcutHint>}
      >
        {label}
      </Button>
    </span>
  )
  return { id, message: shown }
}

/** Undoes the latest action. Several parts of a page may set it; Ctrl+Z runs only the function set last. */
let latestUndo: (() => void) | null = null
/** Undoes the latest action if it was a deletion. This works on every page, because the user often leaves the page after a deletion. */
let latestDeletionUndo: (() => void) | null = null

/** Sets the function that Ctrl+Z runs. */
export function setLatestUndo(undo: () => void): void {
  latestUndo = undo
}

/**
 * Creates the function that undoes a deletion, for the notice and for Ctrl+Z on any page.
 * @param work restores what was deleted
 * @param notice null if `work` shows its own notice
 */
export function createDeletionUndo(work: () => Promise<unknown>, notice: string | null = notices.saved): () => void {
  const { organisationId } = getSelection()
  const undo = (): void => {
    // Calls go to the selected organisation. If the user has selected another organisation since, the undo would change that organisation's
    // data.
    if (getSelection().organisationId !== organisationId) {
      notifyBackgroundFailure('This was done in another organisation. Switch to that organisation, then undo it.')
      return
    }
    if (latestDeletionUndo === undo) latestDeletionUndo = null
    work().then(() => notice !== null && notifySuccess(notice), notifyFailure)
  }
  latestDeletionUndo = undo
  setLatestUndo(undo)
  return undo
}

/** Handles Ctrl+Z on any page: undoes the last deletion, unless a later action can be undone. */
export function undoLatestDeletion(): void {
  if (latestDeletionUndo && isLatestUndo(latestDeletionUndo)) latestDeletionUndo()
}

/** Whether an undo is that of the latest action. */
export function isLatestUndo(undo: () => void): boolean {
  return latestUndo === undo
}

/** Shows an error notice for a failed call. */
export function notifyFailure(error: unknown): void {
  showFailure(error)
}

/**
 * Shows an error notice for a change that was reverted.
 * @param retry retries the change
 */
export function notifyReverted(error: unknown, retry: () => void): void {
  showFailure(error, retry)
}

function showFailure(error: unknown, retry?: () => void): void {
  const { message, kind } = toPublicError(error)
  if (kind === 'signIn') return
  recordNotice(message, 'bad', new Date())
  show({ ...(retry ? withButton(message, { label: 'Try again', run: retry }) : { message }), color: 'red' })
}

/**
 * Shows a notice of an event that this page did not cause, such as a message or another user's change.
 * @param topic of several notices with the same topic, only the last one is shown
 */
export function notifyEvent(
  title: string,
  { message, isWarning = false, topic }: { message: string; isWarning?: boolean; topic?: string },
): void {
  recordNotice(`${title}: ${message}`, 'plain', new Date())
  const notice = { id: topic, title, message, color: isWarning ? 'orange' : undefined }
  if (topic) notifications.update({ ...notice, id: topic })
  show(notice)
}

/** Shows an error notice for a failure that no call of this page caused. */
export function notifyBackgroundFailure(message: string): void {
  recordNotice(message, 'bad', new Date())
  show({ message, color: 'red' })
}

/** Downloads a file. */
export function downloadFile({ fileName, contentType, body }: { fileName: string; contentType: string; body: string | Blob }): void {
  const url = URL.createObjectURL(new Blob([body], { type: contentType }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
