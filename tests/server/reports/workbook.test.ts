import { unzipSync } from 'fflate'
import readXlsxFile from 'read-excel-file/universal'
import { describe, expect, it } from 'vitest'
import { createWorkbook, type WorkbookSheet } from '../../../server/core/workbook.ts'

const sheet: WorkbookSheet = {
  name: 'All schools',
  about: ['Budget analysis', 'Harbour Trust · 2026/27'],
  columns: [
    { title: 'Name', kind: 'text' },
    { title: 'From', kind: 'date' },
    { title: '2026/27', kind: 'money' },
    { title: 'Pupils', kind: 'number' },
    { title: '% of income', kind: 'percent' },
  ],
  rows: [
    { cells: ['Income', null, null, null, null], weight: 'heading' },
    { cells: ['=1+1 is no formula', '2026-09-01', -1234.56, 66.1, 78.4] },
    { cells: ['Total', null, 0, null, 'not calculated'], weight: 'total' },
  ],
}
const bytesOf = (body: Buffer): ArrayBuffer => new Uint8Array(body).buffer

describe('a workbook', () => {
  it('contains real numbers and dates, and text as text', async () => {
    const { body, fileName } = await createWorkbook('Report.xlsx', [sheet])
    expect(fileName).toBe('Report.xlsx')
    const [read] = await readXlsxFile(bytesOf(body))
    expect(read!.sheet).toBe('All schools')
    expect(read!.data[0]![0]).toBe('Budget analysis')
    expect(read!.data[2]).toEqual(['Name', 'From', '2026/27', 'Pupils', '% of income'])
    expect(read!.data[4]).toEqual(['=1+1 is no formula', new Date('2026-09-01T00:00:00Z'), -1234.56, 66.1, 0.784])
    expect(read!.data[5]).toEqual(['Total', null, 0, null, 'not calculated'])
  })
  it('stores the result of each formula, for programs that show it without calculating', async () => {
    const cells = ['Total', null, { formula: 'SUM(C5:C6)', value: -1234.56 }, { formula: 'IF(1<2,C5,0)', value: 0 }, null]
    const { body } = await createWorkbook('Report.xlsx', [sheet, { ...sheet, name: 'Other', rows: [...sheet.rows, { cells }, { cells }] }])
    const parts = unzipSync(new Uint8Array(body))
    const xml = (tab: number): string => new TextDecoder().decode(parts[`xl/worksheets/sheet${tab}.xml`]!)
    expect(xml(1)).not.toContain('<f>')
    expect(xml(2).match(/<f>.*?<\/f><v>.*?<\/v>/g)).toEqual([
      '<f>SUM(C5:C6)</f><v>-1234.56</v>',
      '<f>IF(1&lt;2,C5,0)</f><v>0</v>',
      '<f>SUM(C5:C6)</f><v>-1234.56</v>',
      '<f>IF(1&lt;2,C5,0)</f><v>0</v>',
    ])
    const [, read] = await readXlsxFile(bytesOf(body))
    expect(read!.data.at(-1)!.slice(2, 4)).toEqual([-1234.56, 0])
  })
  it('keeps its headings and first column visible while scrolling', async () => {
    const { body } = await createWorkbook('Report.xlsx', [sheet])
    const parts = unzipSync(new Uint8Array(body))
    const xml = new TextDecoder().decode(parts['xl/worksheets/sheet1.xml']!)
    expect(xml).toMatch(/<pane [^>]*ySplit="3"/)
    expect(xml).toMatch(/<pane [^>]*xSplit="1"/)
    expect(xml).toContain('state="frozen"')
  })
  it('gives every tab a unique name that spreadsheets accept', async () => {
    const long = 'The very long name of a school in the north'
    const named = ['St Anne’s: [Upper] School', long, `${long} too`, 'History', '', 'ALL', 'all'].map((name) => ({ ...sheet, name }))
    const read = await readXlsxFile(bytesOf((await createWorkbook('Report.xlsx', named)).body))
    const names = read.map((one) => one.sheet)
    expect(names).toEqual([
      'St Anne’s Upper School',
      'The very long name of a school',
      'The very long name of a sch (2)',
      'History (2)',
      'Sheet',
      'ALL',
      'all (2)',
    ])
    expect(names.every((name) => name.length <= 31)).toBe(true)
  })
})
