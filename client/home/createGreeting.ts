import { greetingForHour } from '../../domain/values/format.ts'

/** Creates a greeting for the time of day, with the user's forename. */
export function createGreeting(name: string): string {
  return `${greetingForHour(new Date().getHours())}, ${name.split(' ')[0] ?? ''}`
}
