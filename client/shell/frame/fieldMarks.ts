import { useEffect, useEffectEvent } from 'react'
import { openFieldPattern } from '../../../domain/changes/live.ts'
import { focusedField } from '../live/liveState.ts'

/** Another user in the same record, and the field in which the user is; empty if in none. */
interface UserInField {
  name: string
  field: string
}

/** A form field is identified by its name, a cell of the sheet by its row and column. */
const hosts = '#content :is([data-field], .ag-cell[col-id])'
const controls = 'input:not([type="hidden"]), textarea, select'

export function getInitials(name: string): string {
  return name
    .split(' ')
    .map((word) => word[0])
    .slice(0, 2)
    .join('')
}

const controlsOf = (host: Element): Element[] => [...host.querySelectorAll(controls)]

function nameOf(host: HTMLElement): string {
  const row = host.closest('[row-id]')?.getAttribute('row-id')
  return host.dataset.field ?? `${row}:${host.getAttribute('col-id')}`
}

/** Finds the name of the field that contains an element, with an index if the field has several controls. */
function findFieldName(target: Element | null): string {
  const host = target?.closest<HTMLElement>(hosts)
  if (!target || !host) return ''
  const all = controlsOf(host)
  const index = all.indexOf(target)
  const name = all.length > 1 && index >= 0 ? `${nameOf(host)}:${index}` : nameOf(host)
  return openFieldPattern.test(name) ? name : ''
}

/** Finds the box to mark for a field, and the control whose description screen readers announce. */
function findMarkTargets(host: HTMLElement, field: string): { box: HTMLElement; control: Element } {
  const all = controlsOf(host)
  const control = all.length > 1 ? all[Number(field.slice(nameOf(host).length + 1) || Number.NaN)] : all[0]
  if (!control || host.matches('.ag-cell')) return { box: host, control: control ?? host }
  return { box: control.closest<HTMLElement>('.mantine-Input-wrapper') ?? control.parentElement ?? host, control }
}

/** Reports the focused field to other users who have the same record open. If there are no other users, nothing is sent. */
export function useReportFocusedField(record: string, isShared: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: no field has the focus when a record opens
  useEffect(() => {
    if (!isShared) return
    const reportFocus = (): void => focusedField.set(document.hasFocus() ? findFieldName(document.activeElement) : '')
    // Wait until the focus has moved.
    const reportSoon = (): void => void setTimeout(reportFocus)
    const ends = new AbortController()
    for (const event of ['focusin', 'focusout']) document.addEventListener(event, reportSoon, { signal: ends.signal })
    for (const event of ['focus', 'blur']) window.addEventListener(event, reportSoon, { signal: ends.signal })
    reportFocus()
    return () => {
      ends.abort()
      focusedField.set('')
    }
  }, [record, isShared])
}

/**
 * Marks the fields in which other users are. The DOM is changed directly, so that no form renders again. Fields that render later are
 * marked when they appear.
 */
export function useMarkFieldsOfOthers(others: readonly UserInField[]): void {
  const fieldsKey = JSON.stringify(others.filter(({ field }) => field))
  const mark = useEffectEvent((): (() => void) => {
    const byField = new Map<string, string[]>()
    for (const { name, field } of others) if (field) byField.set(field, [...new Set([...(byField.get(field) ?? []), name])])
    const marked = [...document.querySelectorAll<HTMLElement>(hosts)].flatMap((host) =>
      [...byField].flatMap(([field, names]) => {
        const isMarked = field === nameOf(host) || field.startsWith(`${nameOf(host)}:`)
        return isMarked ? [{ ...findMarkTargets(host, field), names }] : []
      }),
    )
    for (const { box, control, names } of marked) {
      const [first = ''] = names
      const label = names.length > 1 ? `${names.join(' and ')} are here` : `${first} is here`
      box.dataset.present = names.length > 1 ? String(names.length) : getInitials(first)
      box.dataset.presentName = label
      control.setAttribute('aria-description', label)
    }
    return () => {
      for (const { box, control } of marked) {
        delete box.dataset.present
        delete box.dataset.presentName
        control.removeAttribute('aria-description')
      }
    }
  })
  useEffect(() => {
    const content = document.querySelector('#content')
    if (fieldsKey === '[]' || !content) return
    let unmark = mark()
    let frame = 0
    const drawn = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        unmark()
        unmark = mark()
      })
    })
    drawn.observe(content, { childList: true, subtree: true })
    return () => {
      drawn.disconnect()
      cancelAnimationFrame(frame)
      unmark()
    }
  }, [fieldsKey])
}
