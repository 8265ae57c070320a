import { toDay, toIsoDate } from '../../domain/values/calendar.ts'
import { dayInLondon, formatLondonTime } from '../../domain/values/format.ts'

const dayMs = 24 * 3600 * 1000

/** How long scheduled backups are kept. */
export interface BackupRetention {
  /** Days for which every backup is kept. */
  days: number
  /** Weeks after that for which one backup a week is kept. */
  weeks: number
}

const namePattern = /^bursar-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.backup$/

/** The name of a scheduled backup. Names sort by time. */
export function buildBackupName(at: Date): string {
  return `bursar-${at.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.backup`
}

/** The time in the name of a scheduled backup; null for any other file. */
function readBackupTime(name: string): Date | null {
  const [match, day, ...time] = namePattern.exec(name) ?? []
  return match ? new Date(`${day}${time.join(':')}Z`) : null
}

/** Finds the scheduled backups among the names of files, newest first. */
export function findScheduledBackups(names: readonly string[]): { name: string; at: Date }[] {
  return names
    .flatMap((name) => {
      const at = readBackupTime(name)
      return at ? [{ name, at }] : []
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime())
}

/** Chooses the backups to delete: never the newest, and never a file that is not a scheduled backup. */
export function chooseExpiredBackups(names: readonly string[], now: Date, { days, weeks }: BackupRetention): string[] {
  const keptWeeks = new Set<number>()
  return findScheduledBackups(names)
    .filter(({ at }, index) => {
      const age = (now.getTime() - at.getTime()) / dayMs
      if (index === 0 || age < days) return false
      const week = Math.floor(at.getTime() / (7 * dayMs))
      const isKept = age < days + weeks * 7 && !keptWeeks.has(week)
      if (isKept) keptWeeks.add(week)
      return !isKept
    })
    .map(({ name }) => name)
}

/**
 * Whether a backup is due: none was made since the last scheduled time.
 * @param time of day in London, as `02:00`
 */
export function isBackupDue(last: Date | undefined, now: Date, time: string): boolean {
  if (!last) return true
  const today = dayInLondon(now)
  const dueDay = formatLondonTime(now) < `${today}T${time}` ? toIsoDate(toDay(today) - 1) : today
  return formatLondonTime(last) < `${dueDay}T${time}`
}
