import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ReportName } from '../../domain/reports/registry.ts'
import { isInstalled } from '../support/running/installed.ts'
import { buildWorkbooks, readTabs, reportNames } from '../support/samples/sampleWorkbooks.ts'

describe.skipIf(!isInstalled('soffice'))('a workbook with live formulas in LibreOffice', () => {
  const opened = new Map<ReportName, { plain: Uint8Array; worked: Uint8Array }>()
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bursar-office-'))
    try {
      const plain = new Map<ReportName, Uint8Array>()
      for (const name of reportNames) {
        const [without, live] = await buildWorkbooks(name)
        plain.set(name, without)
        const parts = unzipSync(live)
        // Removes the stored results of formulas, so that LibreOffice must calculate them.
        for (const [path, part] of Object.entries(parts))
          if (path.startsWith('xl/worksheets/')) parts[path] = strToU8(strFromU8(part).replace(/<\/f><v>.*?<\/v>/g, '</f>'))
        writeFileSync(join(folder, `${name}.xlsx`), zipSync(parts))
      }
      const office = spawnSync(
        'soffice',
        [
          `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`,
          '--headless',
          ...['--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', join(folder, 'out')],
          ...reportNames.map((name) => join(folder, `${name}.xlsx`)),
        ],
        { encoding: 'utf8', timeout: 240_000 },
      )
      expect(office.stderr).not.toMatch(/error|corrupt/i)
      for (const name of reportNames)
        opened.set(name, { plain: plain.get(name)!, worked: new Uint8Array(readFileSync(join(folder, 'out', `${name}.xlsx`))) })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 300_000)
  const wordsOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value ?? '').trim())

  it.each(reportNames)('is calculated to the same pennies, cell by cell: %s', async (name) => {
    const { plain, worked } = opened.get(name)!
    const [meant, own] = [await readTabs(plain), await readTabs(worked)]
    expect(own.map(({ sheet }) => sheet)).toEqual(meant.map(({ sheet }) => sheet))
    for (const [tab, { data, sheet }] of meant.entries()) {
      for (const [row, cells] of data.entries())
        for (const [column, was] of cells.entries()) {
          const is = own[tab]!.data[row]?.[column] ?? null
          const where = `${sheet} ${row + 1}:${column + 1}`
          if (typeof was === 'number') expect(is, where).toBeCloseTo(was, 4)
          else expect(wordsOf(is), where).toBe(wordsOf(was))
        }
      // The check cell below the table shows 0 unless a figure was changed.
      const proof = own[tab]!.data.slice(data.length)
        .flat()
        .flatMap((one) => (typeof one === 'number' ? [Math.abs(one)] : []))
      if (tab < meant.length - 1 && name !== 'measures') expect(proof, sheet).toEqual([0])
    }
  })
})
