import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Compile, examplesOf, isInstalled, problemOf, Session } from './blocks.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-blocks-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const block = (info: string, ...lines: string[]): string => `\`\`\`${info}\n${lines.join('\n')}\n\`\`\`\n`
const page = (...blocks: string[]) => ({ path: 'docs/sample.md', text: `# Sample\n\n${blocks.join('\n')}` })
const compilesAll: Compile = async () => ({})

/** Runs the blocks of a page. @returns the problem of each block, null for none */
async function problems(text: ReturnType<typeof page>, compile = compilesAll, limitMs = 20_000): Promise<(string | null)[]> {
  const examples = examplesOf(text)
  const session = new Session(examples, {
    root: folder,
    folder: join(folder, 'page'),
    origin: 'http://localhost:4999',
    env: { GIVEN: 'given' },
    compile,
    limitMs,
  })
  const found: (string | null)[] = []
  for (const example of examples) found.push(problemOf(example, await session.run(example)))
  session.end()
  return found
}

describe('the blocks of a page', () => {
  it('are those that are marked, and no others', () => {
    const text = page(block('sh', 'false'), block('sh run', 'true'), block('json', '{}'), block('python file', '# a.py', 'x = 1'))
    expect(examplesOf(text).map(({ language, line }) => [language, line])).toEqual([
      ['sh', 7],
      ['python', 15],
    ])
  })
  it('fail where a command fails, with the line of the page and what was printed', async () => {
    const [first, second] = await problems(page(block('sh run', 'echo right'), block('sh run', 'echo the reason', 'false', 'echo never')))
    expect(first).toBeNull()
    expect(second).toMatch(/^docs\/sample\.md:7 sh: the block ended with exit code 1\..*the reason\n$/s)
  })
  it('fail where the first command of a pipe fails', async () => {
    expect(await problems(page(block('sh run', 'false | cat')))).toEqual([expect.stringContaining('exit code 1')])
  })
  it('fail where the product refuses a call and show its message, whether or not they use curl --fail', async () => {
    const server = createServer((_asked, reply) => void reply.writeHead(403).end('You do not have permission to do this.'))
    await new Promise<void>((done) => server.listen(0, done))
    const { port } = server.address() as AddressInfo
    const blocks = ['curl -s', 'curl -sf', 'curl -s --fail-with-body'].map((call) => block('sh run', `${call} http://localhost:${port}/x`))
    expect(await problems(page(...blocks))).toEqual([
      expect.stringMatching(/exit code 22.*You do not have permission to do this\./s),
      expect.stringContaining('exit code 22'),
      expect.stringMatching(/exit code 22.*You do not have permission to do this\./s),
    ])
    server.close()
  })
  it('share the variables of earlier blocks, and call the running product', async () => {
    const text = page(
      block('sh run', "place='two words'", 'url=http://localhost:3000/api'),
      block('sh run', 'test "$place" = "two words"', 'test "$url" = http://localhost:4999/api', 'test "$GIVEN" = given'),
    )
    expect(await problems(text)).toEqual([null, null])
  })
  it('are stopped when they take too long, with all processes they started', async () => {
    const began = performance.now()
    expect(await problems(page(block('sh run', 'sleep 60 | cat')), compilesAll, 300)).toEqual([
      expect.stringMatching(/did not end in time.*Stopped after 0\.3 seconds/s),
    ])
    expect(performance.now() - began).toBeLessThan(10_000)
  })
  it('fail in Python if Python fails, and import files of the page', async () => {
    // Without Python these blocks cannot run; examples.test.ts reports that too.
    if (!isInstalled('python')) return
    const text = page(
      block('python file', '# helper.py', 'def double(n):', '    return 2 * n'),
      block('python run', 'from helper import double', 'assert double(2) == 4'),
      block('python run', 'from helper import double', 'assert double(2) == 5'),
    )
    expect(await problems(text)).toEqual([null, null, expect.stringContaining('AssertionError')])
  })
  it('fail in TypeScript if the compiler finds an error in the block', async () => {
    const text = page(block('ts run', 'const n: number = "one"'))
    const compile: Compile = async () => ({ 'line3.ts': ["TS2322: Type 'string' is not assignable to type 'number'."] })
    expect(await problems(text, compile)).toEqual([expect.stringContaining('TS2322')])
  })
})
