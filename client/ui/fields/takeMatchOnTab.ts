import type { KeyboardEvent } from 'react'

/** Makes Tab choose the highlighted match of the typed text, as Enter does. */
export function chooseMatchOnTab({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  if (key !== 'Tab' || !currentTarget.value.trim()) return
  const list = document.getElementById(currentTarget.getAttribute('aria-controls') ?? '')
  list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click()
}
