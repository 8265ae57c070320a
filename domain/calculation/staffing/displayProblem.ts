import { formatPeriodMonth } from '../../values/calendar.ts'
import { displayDate } from '../../values/format.ts'
import type { Problem } from '../inputs.ts'

/**
 * Returns a costing problem with the dates in its text as people write them. The engines keep writing ISO dates, because the hash of a
 * stored result includes the text.
 */
export function toDisplayedProblem(problem: Problem): Problem {
  const text = problem.text
    .replace(/(?<= on )\d{4}-\d{2}-\d{2}\b/, (date) => displayDate(date))
    .replace(/(?<= in )(\d{4})-(\d{2})(?=\.$)/, (_all, year: string, month: string) => `${formatPeriodMonth(1, Number(month))} ${year}`)
  return { ...problem, text }
}
