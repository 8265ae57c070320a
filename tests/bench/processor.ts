import { readdirSync, readFileSync } from 'node:fs'
import type postgres from 'postgres'

/** What the kernel counts a second in (`getconf CLK_TCK`), the same on every Linux. */
const ticks = 100

/**
 * Reads how many seconds of processor this process, some others and a database with all its connections have used up to now; this one can be left out. On a machine that
 * others use as well this says what a piece of work costs, where the clock says how long it was kept waiting.
 */
export async function processorOf(
  client: postgres.Sql,
  others: readonly (number | undefined)[] = [],
  isOwnCounted = true,
): Promise<() => number> {
  const [row] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = statOf(row!.pid)!.parent
  return () => {
    let used = 0
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      const stat = Number.isNaN(pid) ? null : statOf(pid)
      if (!stat) continue
      if (pid === postmaster) used += stat.own + stat.ended
      else if (stat.parent === postmaster || (isOwnCounted && pid === process.pid) || others.includes(pid)) used += stat.own
    }
    return used
  }
}

/** Of a process: its parent, the seconds of processor it has used, and those of its children that have ended. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const seconds = (from: number): number => (fields[from]! + fields[from + 1]!) / ticks
    return { parent: fields[1]!, own: seconds(11), ended: seconds(13) }
  } catch {
    return null
  }
}
