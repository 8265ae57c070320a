import { displayWholePounds, toPennies } from '../../domain/values/format.ts'

/** Formats an amount in whole pounds; “not known” if it is null. */
export function displayKnownPounds(pounds: number | null): string {
  return pounds === null ? 'not known' : displayWholePounds(toPennies(pounds))
}
