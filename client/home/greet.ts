import { greetingForHour } from '../../domain/values/format.ts'

/** The greeting of the hour, by forename. */
export function greet(name: string): string {
  return `${greetingForHour(new Date().getHours())}, ${name.split(' ')[0] ?? ''}`
}
