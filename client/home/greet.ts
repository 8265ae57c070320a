import { greeting } from '../../domain/values/format.ts'

/** The greeting of the hour, by forename. */
export function greet(name: string): string {
  return `${greeting(new Date().getHours())}, ${name.split(' ')[0] ?? ''}`
}
