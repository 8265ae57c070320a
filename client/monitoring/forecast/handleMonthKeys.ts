import type { KeyboardEvent } from 'react'
import { findClosestElement } from '../../ui/closestElement.ts'

/** Moves the focus on Enter and on the up and down arrows, in a column of fields with `data-column` and `data-month`. */
export function handleMonthKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key]
  const field = findClosestElement<HTMLInputElement>(event.target, 'input[data-month]')
  if (!step || !field || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const column = [...event.currentTarget.querySelectorAll<HTMLInputElement>(`input[data-column="${field.dataset.column}"]`)]
  const next = column[column.indexOf(field) + step]
  next?.focus()
  next?.select()
}
