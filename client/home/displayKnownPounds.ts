import { displayWholePounds, toPennies } from '../../domain/values/format.ts'

/** Whole pounds; says so if they are not known. */
export function displayKnownPounds(pounds: number | null): string {
  return pounds === null ? 'not known' : displayWholePounds(toPennies(pounds))
}
