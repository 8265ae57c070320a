import { readdirSync, readFileSync } from 'node:fs'
import type postgres from 'postgres'

/** The kernel’s clock ticks per second (`getconf CLK_TCK`), the same on every Linux. */
const ticks = 100

/**
 * Reads the seconds of processor time used so far by this process (unless it is left out), some others, and a database with all its
 * connections. On a shared machine this measures what work costs, where the clock would include waiting for the processor.
 */
export async function readProcessorSeconds(
  client: postgres.Sql,
  others: readonly (number | undefined)[] = [],
  isOwnCounted = true,
): Promise<() => number> {
  const [row] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = readStat(row!.pid)!.parent
  return () => {
    let used = 0
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      const stat = Number.isNaN(pid) ? null : readStat(pid)
      if (!stat) continue
      if (pid === postmaster) used += stat.own + stat.ended
      else if (stat.parent === postmaster || (isOwnCounted && pid === process.pid) || others.includes(pid)) used += stat.own
    }
    return used
  }
}

/** Of a process: its parent, its seconds of processor time, and those of its children that have ended. */
function readStat(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may contain spaces and brackets, so the fields are counted from the last bracket.
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
