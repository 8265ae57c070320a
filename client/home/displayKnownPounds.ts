import { displayWholePounds, toPennies } from '../../domain/values/format.ts'

/** An amount in whole pounds, or “not known”. */
export function displayKnownPounds(pounds: number | null): string {
  return pounds === null ? 'not known' : displayWholePounds(toPennies(pounds))
}
