import { addMonths, type IsoDate, toDay, toIsoDate } from '../values/calendar.ts'

/** Dates that show when a person worked here. */
export interface EmploymentEvidence {
  /** The latest planned day of any contract in a budget; null if there is none. */
  plannedUntil: IsoDate | null
  /** The last day of the last month in which the person was paid. */
  paidUntil: IsoDate | null
  /** The last day of the person's extended leave. */
  leaveUntil: IsoDate | null
  /** The day on which the person's record was created, for people without contracts, payroll or leave. */
  recordedOn: IsoDate
  archive: boolean
}

/** Whether a person's data is due for erasure and, if not, why. */
export type RetentionStatus =
  | { state: 'works' }
  /** @property until the first day on which the data may be erased */
  | { state: 'kept'; left: IsoDate; until: IsoDate; reason: string }
  | { state: 'due'; left: IsoDate; since: IsoDate }

/**
 * Decides whether a person's data is still retained. A person with a current contract or leave counts as working here, and so does one who
 * was never employed, until archived. A leaver's data is retained for the given number of years after the last day of evidence.
 * @param years null if the organisation has set no period; then nobody is proposed for erasure
 */
export function decideRetention(worked: EmploymentEvidence, years: number | null, today: IsoDate): RetentionStatus {
  const days: [IsoDate | null, string][] = [
    [worked.plannedUntil, 'a budget last included them'],
    [worked.paidUntil, 'a payroll last paid them'],
    [worked.leaveUntil, 'they were last on leave'],
  ]
  const known = days.filter((one): one is [IsoDate, string] => one[0] !== null).sort(([a], [b]) => b.localeCompare(a))
  const [last] = known
  if (!last && !worked.archive) return { state: 'works' }
  const [left, because] = last ?? [worked.recordedOn, 'they were added']
  if (left >= today && last) return { state: 'works' }
  if (years === null)
    return { state: 'kept', left, until: '', reason: 'No one is proposed for erasure until your organisation sets a number of years.' }
  const until = toIsoDate(addMonths(toDay(left), years * 12) + 1)
  if (until <= today) return { state: 'due', left, since: until }
  return { state: 'kept', left, until, reason: `It is less than ${years === 1 ? 'a year' : `${years} years`} since ${because}.` }
}
