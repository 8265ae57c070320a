import { dayInLondon } from '../../format.ts'

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

const dayMs = 86_400_000
const wall = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The moment at which clocks in London show a time of a day; of a time that is skipped in spring, the hour after. */
function momentOf(dayNumber: number, hours: number, minutes: number): Date {
  const asUtc = dayNumber * dayMs + hours * 3_600_000 + minutes * 60_000
  // London is at UTC or an hour before it.
  for (const ahead of [3_600_000, 0]) {
    const parts = Object.fromEntries(wall.formatToParts(new Date(asUtc - ahead)).map(({ type, value }) => [type, Number(value)]))
    if (parts.hour === hours && parts.minute === minutes) return new Date(asUtc - ahead)
  }
  return new Date(asUtc)
}

const isDayOf = ({ every, day }: Schedule, dayNumber: number): boolean => {
  const date = new Date(dayNumber * dayMs)
  if (every === 'week') return (date.getUTCDay() || 7) === day
  if (every === 'month') return date.getUTCDate() === day
  return true
}

/** When a connection runs next after a moment; null for one that never does by itself. */
export function nextRun(schedule: Schedule, after: Date): Date | null {
  const { every, at } = schedule
  if (every === 'never') return null
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const today = Date.parse(dayInLondon(after)) / dayMs
  // A month has at most 31 days, and the same day of the next one comes within that.
  for (let dayNumber = today; dayNumber <= today + 32; dayNumber++) {
    if (!isDayOf(schedule, dayNumber)) continue
    const hoursOfDay = every === 'hour' ? Array.from({ length: 24 }, (_unused, hour) => hour) : [hours]
    for (const hour of hoursOfDay) {
      const moment = momentOf(dayNumber, hour, minutes)
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
