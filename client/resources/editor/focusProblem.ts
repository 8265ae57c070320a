import type { FieldProblem } from '../../../domain/words/errors.ts'

/** How many animation frames to wait until the tab with the invalid field has rendered. */
const maximumFrames = 15

/** Scrolls to the first invalid field of the page and focuses it. */
export function focusProblem(problems: readonly FieldProblem[]): void {
  const broken = new Set(problems.map(({ field }) => field.split('.')[0]))
  const focusWhenRendered = (frame: number): void => {
    const field = [...document.querySelectorAll<HTMLElement>('[data-field]')].find((one) => broken.has(one.dataset.field))
    const invalid = field?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!invalid && frame < maximumFrames) return void requestAnimationFrame(() => focusWhenRendered(frame + 1))
    const input = invalid ?? field?.querySelector<HTMLElement>('input, textarea, button')
    ;(input ?? field)?.scrollIntoView({ block: 'center' })
    input?.focus({ preventScroll: true })
  }
  // In the second frame the problems have been rendered, so the invalid cell of a table is found, and not the first cell of the table.
  requestAnimationFrame(() => requestAnimationFrame(() => focusWhenRendered(2)))
}
