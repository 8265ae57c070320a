import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTrustIds, signInAs } from '../support/product/http.ts'
import { startServerProcess } from '../support/running/serverProcess.ts'

/** Folders with other versions of Node, downloaded by `.ci/run`: the oldest supported one, the image’s and the newest. */
const folders = (process.env.NODES ?? '').split(delimiter).filter(Boolean)
const nodes = folders.map((folder) => {
  const node = join(folder, 'node')
  return { node, version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() }
})

describe.skipIf(!nodes.length)('a supported version of Node', () => {
  it.each(nodes)('starts the product without a warning, and somebody signs in: $version', async ({ node }) => {
    const server = await startServerProcess({ node })
    const places = await findTrustIds(await signInAs(server, 'finance@harbour.example'))
    expect(Object.keys(places.budgets)).toContain('Northgate')
    expect(
      server
        .log()
        .split('\n')
        .filter((line) => /warning:|deprecat|"level":[45]0/i.test(line)),
    ).toEqual([])
    expect(await server.stop('SIGTERM'), server.log()).toBe(0)
  })
})
