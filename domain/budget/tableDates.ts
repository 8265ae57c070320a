/** The date a table applies from, as its name says: `Teachers Sept 2026`, `NI 2026/27`, `NJC April 2026`; null when it says none. */
export function dateInName(name: string): string | null {
  const year = /\b(20\d\d)\b/.exec(name)?.[1]
  if (!year) return null
  if (/sept?/i.test(name)) return `${year}-09-01`
  if (/\d\/\d\d/.test(name)) return `${year}-04-06`
  return /apr/i.test(name) ? `${year}-04-01` : null
}

/** The first day of the budget year that a funding table is for, `NFF 2026/27`; null when its name says none. */
export function fundingYearInName(name: string, startMonth: number): string | null {
  const year = /\b(20\d\d)\/\d\d\b/.exec(name)?.[1]
  return year ? `${year}-${String(startMonth).padStart(2, '0')}-01` : null
}
