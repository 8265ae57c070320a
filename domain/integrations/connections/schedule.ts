import { type Day, toDay, toIsoDate } from '../../values/calendar.ts'
import { dayInLondon, parseMomentInLondon } from '../../values/format.ts'

/** When a connection runs by itself; times are those of London, summer and winter. */
export const rhythms = ['never', 'hour', 'day', 'week', 'month'] as const
export type Rhythm = (typeof rhythms)[number]

export interface Schedule {
  every: Rhythm
  /** `02:30`; of an hourly one only the minutes count. */
  at: string
  /** Of a week 1 (Monday) to 7, of a month 1 to 28, so that every month has it. */
  day: number
}

/** 1 January 1970, the first of all days, was a Thursday. */
const weekDayOf = (day: Day): number => ((day + 3) % 7) + 1

const isDayOf = ({ every, day }: Schedule, date: Day): boolean => {
  if (every === 'week') return weekDayOf(date) === day
  if (every === 'month') return Number(toIsoDate(date).slice(8)) === day
  return true
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** When a connection runs next after a moment; null for one that never does by itself. */
export function nextRun(schedule: Schedule, after: Date): Date | null {
  const { every, at } = schedule
  if (every === 'never') return null
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const today = toDay(dayInLondon(after))
  // A month has at most 31 days, and the same day of the next one comes within that.
  for (let day = today; day <= today + 32; day++) {
    if (!isDayOf(schedule, day)) continue
    const hoursOfDay = every === 'hour' ? Array.from({ length: 24 }, (_unused, hour) => hour) : [hours]
    for (const hour of hoursOfDay) {
      const moment = parseMomentInLondon(`${toIsoDate(day)}T${twoDigits(hour)}:${twoDigits(minutes)}`)
      if (moment > after) return moment
    }
  }
  return null
}

/** The days of a week from Monday. */
export const weekDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** A schedule in words: `every day at 02:30`. */
export function scheduleWords({ every, at, day }: Schedule): string {
  if (every === 'never') return 'only when it is run by hand'
  if (every === 'hour') return `every hour, ${Number(at.slice(3))} minutes past`
  if (every === 'day') return `every day at ${at}`
  if (every === 'week') return `every ${weekDays[day - 1]} at ${at}`
  return `on day ${day} of every month at ${at}`
}
