import { addMonths, type IsoDate, toDay, toIsoDate } from '../values/calendar.ts'

/** What is known of when somebody worked here. */
export interface EmploymentEvidence {
  /** The last day that each contract in a budget plans them for; null: no budget has one. */
  plannedUntil: IsoDate | null
  /** The last month that a payroll paid them, by its last day. */
  paidUntil: IsoDate | null
  /** The last day of their extended leave. */
  leaveUntil: IsoDate | null
  /** When they were first written down: for people with no contract, payroll or leave. */
  recordedOn: IsoDate
  archive: boolean
}

/** Whether somebody may be proposed to be erased, and why not yet. */
export type Retention =
  | { state: 'works' }
  /** @property until the first day on which they may be erased */
  | { state: 'kept'; left: IsoDate; until: IsoDate; reason: string }
  | { state: 'due'; left: IsoDate; since: IsoDate }

/**
 * How long somebody is kept. Who is planned, on leave or not archived without ever having had a contract works here; whoever left is kept for
 * some years after the last day that anything here says they worked.
 * @param years null: nobody is proposed
 */
export function decideRetention(worked: EmploymentEvidence, years: number | null, today: IsoDate): Retention {
  const days: [IsoDate | null, string][] = [
    [worked.plannedUntil, 'a budget plans them'],
    [worked.paidUntil, 'a payroll paid them'],
    [worked.leaveUntil, 'they were on leave'],
  ]
  const known = days.filter((one): one is [IsoDate, string] => one[0] !== null).sort(([a], [b]) => b.localeCompare(a))
  const [last] = known
  if (!last && !worked.archive) return { state: 'works' }
  const [left, because] = last ?? [worked.recordedOn, 'they were written down']
  if (left >= today && last) return { state: 'works' }
  if (years === null)
    return { state: 'kept', left, until: '', reason: 'No one is proposed until your organisation says for how many years.' }
  const until = toIsoDate(addMonths(toDay(left), years * 12) + 1)
  if (until <= today) return { state: 'due', left, since: until }
  return { state: 'kept', left, until, reason: `The last day that ${because} is not ${years === 1 ? 'a year' : `${years} years`} ago.` }
}
