import { type Day, toDay, toIsoDate } from '../../values/calendar.ts'
import { dayInLondon, parseMomentInLondon } from '../../values/format.ts'

/** How often a connection runs. Times are in London, including summer time. */
export const scheduleIntervals = ['never', 'hour', 'day', 'week', 'month'] as const
export type ScheduleInterval = (typeof scheduleIntervals)[number]

export interface Schedule {
  every: ScheduleInterval
  /** Time such as `02:30`; for an hourly schedule only the minutes count. */
  at: string
  /** Weekly: 1 (Monday) to 7. Monthly: 1 to 28, which every month has. */
  day: number
}

/** Day 0, 1 January 1970, was a Thursday. */
const findWeekDay = (day: Day): number => ((day + 3) % 7) + 1

const isRunDay = ({ every, day }: Schedule, date: Day): boolean => {
  if (every === 'week') return findWeekDay(date) === day
  if (every === 'month') return Number(toIsoDate(date).slice(8)) === day
  return true
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** The next run after a moment; null if the connection is not scheduled. */
export function findNextRun(schedule: Schedule, after: Date): Date | null {
  const { every, at } = schedule
  if (every === 'never') return null
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const today = toDay(dayInLondon(after))
  // A month has at most 31 days, so these days include the same day of the next month.
  for (let day = today; day <= today + 32; day++) {
    if (!isRunDay(schedule, day)) continue
    const hoursOfDay = every === 'hour' ? Array.from({ length: 24 }, (_unused, hour) => hour) : [hours]
    for (const hour of hoursOfDay) {
      const moment = parseMomentInLondon(`${toIsoDate(day)}T${twoDigits(hour)}:${twoDigits(minutes)}`)
      if (moment > after) return moment
    }
  }
  return null
}

export const weekDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Describes a schedule, such as `every day at 02:30`. */
export function describeSchedule({ every, at, day }: Schedule): string {
  if (every === 'never') return 'only when it is run manually'
  if (every === 'hour') return `every hour, ${Number(at.slice(3))} minutes past`
  if (every === 'day') return `every day at ${at}`
  if (every === 'week') return `every ${weekDays[day - 1]} at ${at}`
  return `on day ${day} of every month at ${at}`
}
