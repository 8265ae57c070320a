import type { FieldProblem } from '../../../domain/words/errors.ts'

/** So many frames may pass until a tab that holds the broken field is drawn. */
const mostFrames = 15

/** Brings the first broken field of the page into sight and focus. */
export function focusProblem(problems: readonly FieldProblem[]): void {
  const broken = new Set(problems.map(({ field }) => field.split('.')[0]))
  const look = (frame: number): void => {
    const field = [...document.querySelectorAll<HTMLElement>('[data-field]')].find((one) => broken.has(one.dataset.field))
    const invalid = field?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!invalid && frame < mostFrames) return void requestAnimationFrame(() => look(frame + 1))
    const input = invalid ?? field?.querySelector<HTMLElement>('input, textarea, button')
    ;(input ?? field)?.scrollIntoView({ block: 'center' })
    input?.focus({ preventScroll: true })
  }
  // By the second frame the problems are drawn, so that of a table the broken cell is found and not its first.
  requestAnimationFrame(() => requestAnimationFrame(() => look(2)))
}
