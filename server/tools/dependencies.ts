import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { getErrorMessage } from '../../domain/words/errors.ts'
import { limitConcurrency } from '../core/limitConcurrency.ts'
import { root } from '../core/root.ts'
import { formatTable } from './formatTable.ts'

/**
 * `npm run dependencies`: lists known security problems of the shipped packages and their dependencies. If the registry does not support
 * audits, it lists how old each package is and its newest version. Exit code 1: there are known problems; 2: the registry could not be
 * reached.
 */

const maxConcurrent = 8
const timeoutMs = 60_000

/** Runs npm and parses its JSON output. The exit code is ignored, because npm audit exits with an error when it finds problems. */
async function runNpm(...words: string[]): Promise<unknown> {
  const child = spawn('npm', [...words, '--json'], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'spawn')])
  if (!output) throw new Error(`npm did not answer within ${timeoutMs / 1000} s.`)
  return JSON.parse(output)
}

const auditReply = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string(), via: z.array(z.unknown()) })),
})
const packageReply = z.object({ time: z.record(z.string(), z.string()), 'dist-tags': z.object({ latest: z.string() }) })
const packageFile = z.object({ dependencies: z.record(z.string(), z.string()) })

function describeProblem(via: readonly unknown[]): string {
  const titles = via.map((one) =>
    typeof one === 'string' ? `by ${one}` : (z.object({ title: z.string() }).safeParse(one).data?.title ?? ''),
  )
  return [...new Set(titles)].join('; ')
}

function toDay(moment: string | undefined): string {
  return moment?.slice(0, 10) ?? 'unknown'
}

async function showAges(): Promise<void> {
  const { dependencies } = packageFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const turn = limitConcurrency(maxConcurrent)
  const rows = await Promise.all(
    Object.entries(dependencies).map(([name, version]) =>
      turn(async () => {
        const { time, 'dist-tags': tags } = packageReply.parse(await runNpm('view', name, 'time', 'dist-tags'))
        const isNewest = tags.latest === version
        return [name, version, toDay(time[version]), isNewest ? '' : tags.latest, isNewest ? '' : toDay(time[tags.latest])]
      }),
    ),
  )
  console.log(formatTable(['package', 'version', 'released', 'newest', 'released'], rows))
}

try {
  const { data } = auditReply.safeParse(await runNpm('audit', '--omit=dev'))
  if (!data) {
    console.log('The registry does not support audits. Age of the shipped packages:\n')
    await showAges()
  } else {
    const problems = Object.entries(data.vulnerabilities).map(([name, { severity, range, via }]) => [
      name,
      range,
      severity,
      describeProblem(via),
    ])
    if (problems.length) console.log(formatTable(['package', 'versions', 'severity', 'problem'], problems))
    else console.log('The registry knows of no problems in the shipped packages.')
    process.exitCode = problems.length ? 1 : 0
  }
} catch (error) {
  console.error(`The registry could not be reached: ${getErrorMessage(error)}`)
  process.exitCode = 2
}
