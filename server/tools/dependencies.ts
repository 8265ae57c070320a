import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { errorMessage } from '../../domain/words/errors.ts'
import { root } from '../core/root.ts'
import { turns } from '../core/turns.ts'
import { table } from './print.ts'

/**
 * `npm run dependencies`: the security problems that the registry knows of the packages that the product ships, and of what they bring along.
 * Where the registry answers no audit, how old each package is and which version is the newest. Exit code 1: there are known problems, 2: the
 * registry could not be asked.
 */

/** Questions to the registry at a time. */
const atATime = 8
const timeoutMs = 60_000

/** What npm prints as JSON; it ends with a code of its own where it found something. */
async function npm(...words: string[]): Promise<unknown> {
  const child = spawn('npm', [...words, '--json'], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'spawn')])
  if (!said) throw new Error(`npm did not answer within ${timeoutMs / 1000} s.`)
  return JSON.parse(said)
}

const audited = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string(), via: z.array(z.unknown()) })),
})
const published = z.object({ time: z.record(z.string(), z.string()), 'dist-tags': z.object({ latest: z.string() }) })
const shipped = z.object({ dependencies: z.record(z.string(), z.string()) })

/** @returns what is known of one problem, in words */
function titlesOf(via: readonly unknown[]): string {
  const titles = via.map((one) =>
    typeof one === 'string' ? `by ${one}` : (z.object({ title: z.string() }).safeParse(one).data?.title ?? ''),
  )
  return [...new Set(titles)].join('; ')
}

function dayOf(moment: string | undefined): string {
  return moment?.slice(0, 10) ?? 'unknown'
}

async function showAges(): Promise<void> {
  const { dependencies } = shipped.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const turn = turns(atATime)
  const rows = await Promise.all(
    Object.entries(dependencies).map(([name, version]) =>
      turn(async () => {
        const { time, 'dist-tags': tags } = published.parse(await npm('view', name, 'time', 'dist-tags'))
        const isNewest = tags.latest === version
        return [name, version, dayOf(time[version]), isNewest ? '' : tags.latest, isNewest ? '' : dayOf(time[tags.latest])]
      }),
    ),
  )
  console.log(table(['package', 'version', 'released', 'newest', 'released'], rows))
}

try {
  const { data } = audited.safeParse(await npm('audit', '--omit=dev'))
  if (!data) {
    console.log('The registry answers no audit. How old the packages are that the product ships:\n')
    await showAges()
  } else {
    const problems = Object.entries(data.vulnerabilities).map(([name, { severity, range, via }]) => [name, range, severity, titlesOf(via)])
    if (problems.length) console.log(table(['package', 'versions', 'severity', 'problem'], problems))
    else console.log('The registry knows of no problem in the packages that the product ships.')
    process.exitCode = problems.length ? 1 : 0
  }
} catch (error) {
  console.error(`The registry could not be asked: ${errorMessage(error)}`)
  process.exitCode = 2
}
