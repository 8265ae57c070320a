import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { build } from 'esbuild'
import { futuresHash } from '../../support/samples/futures.ts'

const root = join(import.meta.dirname, '../../..')

test('a browser draws the same futures as the server, to the last bit', async ({ page }) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { drawFutures } from './domain/uncertainty/draws.ts'
        import { futuresPlan } from './tests/support/samples/futures.ts'
        const { drivers } = drawFutures(futuresPlan)
        window.drawn = [...drivers.map(({ z }) => z), ...drivers.map(({ values }) => values)].map((numbers) => [...new Uint8Array(numbers.buffer)])`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'iife',
  })
  await page.addScriptTag({ content: outputFiles[0]!.text })
  const drawn = await page.evaluate<number[][]>('window.drawn')
  expect(drawn).toHaveLength(12)
  expect(createHash('sha256').update(Buffer.from(drawn.flat())).digest('hex')).toBe(futuresHash)
})
