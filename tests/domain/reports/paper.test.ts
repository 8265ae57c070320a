import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeEmptyCell, getCellType } from '../../../domain/reports/report.ts'
import { formatCell as asPrinted } from '../../../server/core/paper/columns.ts'
import type { DocumentBlock } from '../../../server/core/paper/document.ts'
import { renderPdf } from '../../../server/core/paper/paper.ts'
import { toReportTable as reportTable } from '../../../server/shared/reports/rows.ts'
import { type ReadPdf, readPdf } from '../../support/samples/pdf.ts'
import { sampleReports } from '../../support/samples/sampleReports.ts'

/** Points from the top of a landscape A4 page; below this there may be only the footer. */
const margin = 540
/** A note of the greatest length, in which no word occurs twice. */
const note = Array.from({ length: 286 }, (_unused, index) => `word${String(index).padStart(2, '0')}`)
  .join(' ')
  .slice(0, 2000)

async function printed(blocks: DocumentBlock[]): Promise<ReadPdf> {
  const { body } = await renderPdf('long.pdf', {
    title: 'Long',
    subtitle: 'Rows',
    author: 'Ruth',
    head: 'Harbour',
    foot: 'As at',
    blocks,
  })
  return readPdf(body)
}

/** The words with this beginning, in reading order. */
const wordsOf = (pdf: ReadPdf, begin: string): string[] =>
  pdf.pages
    .flat(2)
    .flatMap((text) => text.split(' '))
    .filter((word) => word.startsWith(begin))

/** The lines below the margin other than the footer. */
const below = ({ pages, heights }: ReadPdf): string[][] =>
  pages.flatMap((lines, page) => lines.filter((line, at) => heights[page]![at]! > margin && line[0] !== 'As at'))

const tableOf = (rows: [string, number, string][]): DocumentBlock => ({
  kind: 'table',
  table: {
    columns: [
      { title: 'Employee', kind: 'text' },
      ...['Budget £', 'Actual £', 'Difference £'].map((title) => ({ title, kind: 'money' as const })),
      { title: 'Reason', kind: 'text' },
    ],
    rows: rows.map(([name, value, reason]) => ({ cells: [name, value, value, value, reason] })),
    hasPence: true,
  },
})

it('separates thousands as in amounts of money, with the printed minus', async () => {
  const pdf = await printed([
    {
      kind: 'table',
      table: {
        columns: [
          { title: 'Line', kind: 'text' },
          { title: '2026/27 £000', kind: 'number' },
          { title: '2026/27 £', kind: 'money' },
        ],
        rows: [{ cells: ['102 General annual grant', 14_970, 14_970_078] }, { cells: ['In-year balance', -1234.5, -1_234_500] }],
        hasPence: false,
      },
    },
  ])
  expect(pdf.pages.flat()).toEqual(
    expect.arrayContaining([
      ['102 General annual grant', '14,970', '14,970,078'],
      ['In-year balance', '−1,234.5', '−1,234,500'],
    ]),
  )
})
it('prints names in scripts that its font lacks in Latin letters, and all others unchanged', async () => {
  const pdf = await printed([
    tableOf([
      ['Siân Łukasz Ağaoğlu', 1, 'Đặng'],
      ['محمد 李 😀', 2, 'Ольга'],
    ]),
  ])
  const text = pdf.pages.flat(2).join(' ')
  expect(text).toContain('Siân Łukasz Ağaoğlu')
  expect(text).toContain('Đặng')
  expect(text).toContain('Ольга')
  expect(text).toContain('mhmd Li :grinning:')
})
it('prints every word of the longest note, wherever on a page its row begins, and nothing below the margin', async () => {
  for (const before of [12, 20]) {
    const rows = Array.from({ length: before }, (_unused, index): [string, number, string] => [`Sato ${index}`, 1, 'x'])
    const pdf = await printed([tableOf([...rows, ['Bello', 2, note], ['Okafor', 3, 'y']])])
    expect(wordsOf(pdf, 'word'), String(before)).toEqual(note.split(' '))
    expect(below(pdf), String(before)).toEqual([])
    // Each page with a part of the row repeats whose row it is.
    const own = pdf.pages.filter((page) => page.flat().some((text) => text.startsWith('word')))
    expect(own.filter((page) => page.some(([name]) => name === 'Bello'))).toHaveLength(own.length)
    expect(pdf.pages.filter((page) => page.some((line) => line[0] === 'Employee'))).toHaveLength(pdf.pages.length)
    expect([...pdf.elements]).toEqual(expect.arrayContaining(['Table', 'TR', 'TH', 'TD']))
  }
})
it('prints every line of a text that does not fit on the rest of a page', async () => {
  const pdf = await printed([
    tableOf(Array.from({ length: 24 }, (_unused, index) => [`Sato ${index}`, 1, 'x'])),
    { kind: 'text', text: note },
  ])
  expect(wordsOf(pdf, 'word')).toEqual(note.split(' '))
  expect(below(pdf)).toEqual([])
})
it.each([...sampleReports])('prints the totals of the report’s rows, to the penny: %s', async (name, report) => {
  const pdf = await printed([{ kind: 'table', table: { ...reportTable(report), hasPence: true } }])
  const figuresOf = (label: string): string[] =>
    pdf.pages
      .flat()
      .flatMap(([first, ...rest]) => (first === label ? rest : []))
      .sort()
  const isTold = (kind: string): boolean => kind === 'SectionFooter' || kind === 'Total' || (name === 'measures' && kind === 'Data')
  const wanted = new Map<string, string[]>()
  for (const row of report.rows.filter(({ kind }) => isTold(kind)))
    wanted.set(row.label, [
      ...(wanted.get(row.label) ?? []),
      ...row.values.flatMap((value, index) => {
        const type = getCellType(row, report.columns[index]!)
        const pounds = typeof value === 'number' && type === 'money' ? value / 100 : value
        const words = value === null ? describeEmptyCell(report, row, index) : asPrinted(pounds, type, true)
        return words ? [words] : []
      }),
    ])
  expect(wanted.size).toBeGreaterThan(0)
  for (const [label, figures] of wanted) expect(figuresOf(label), label).toEqual(figures.sort())
})
it('draws figures and charts on portrait pages, and a wide table on a landscape page of its own', async () => {
  const chart = (type: 'balance' | 'reserves', values: (number | null)[], policy: number[] | null): DocumentBlock => ({
    kind: 'chart',
    chart: { type, title: `Chart of ${type}`, years: ['2026/27', '2027/28'], values, policy, description: `Described: ${type}` },
  })
  const { body } = await renderPdf('pack.pdf', {
    title: 'Pack',
    subtitle: 'October',
    author: 'Ruth',
    head: 'Harbour',
    foot: 'As at',
    layout: 'portrait',
    owner: { name: 'Northgate', logo: null },
    blocks: [
      { kind: 'tiles', tiles: [{ label: 'In-year balance', value: '−£10', note: 'budget £0', isBad: true }] },
      { kind: 'lead', text: 'Northgate spends £10 more than it receives.' },
      chart('balance', [-10_00, 2_500_00], null),
      chart('reserves', [90_00, null], [50_00, 60_00]),
      { kind: 'newPage', layout: 'landscape' },
      { kind: 'heading', text: 'Wide' },
      tableOf([['Sato', 1, 'x']]),
      { kind: 'newPage', layout: 'portrait' },
      { kind: 'text', text: 'After' },
    ],
  })
  const pdf = await readPdf(body)
  const isLandscape = pdf.sizes.map(([width, height]) => width > height)
  expect(isLandscape).toEqual([false, true, false])
  const first = pdf.pages[0]!.flat()
  for (const text of [
    'Northgate',
    'Pack',
    '−£10',
    'Northgate spends £10 more than it receives.',
    '£2,500',
    '£90',
    'not calculated',
    'Policy',
  ])
    expect(first).toContain(text)
  expect(pdf.descriptions).toEqual(['Described: balance', 'Described: reserves'])
  expect([...pdf.elements]).toEqual(expect.arrayContaining(['H1', 'P', 'H3', 'Figure']))
  expect(pdf.title).toBe('Pack · Northgate · October')
})
it('prints the logo of its owner, and without it if the picture cannot be read', async () => {
  const chunk = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    return Buffer.concat([length, Buffer.from(type), body, Buffer.alloc(4)])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  // Two pixels on two lines, each with red, green, blue and opacity.
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0])
  const pixels = deflateSync(
    Buffer.concat([Buffer.alloc(9, 120), Buffer.alloc(9, 60)].map((line) => Buffer.concat([Buffer.of(0), line.subarray(1)]))),
  )
  const png = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
  for (const [logo, isPrinted] of [
    [png, true],
    [Buffer.from('not a picture'), false],
  ] as const) {
    const { body } = await renderPdf('logo.pdf', {
      title: 'Pack',
      subtitle: 'October',
      author: 'Ruth',
      head: 'Harbour',
      foot: 'As at',
      owner: { name: 'Northgate', logo },
      blocks: [],
    })
    expect(body.includes('/Subtype /Image')).toBe(isPrinted)
    expect((await readPdf(body)).pages[0]!.flat()).toContain('Northgate')
  }
})
it('never leaves one or two rows of a table alone on its last page, nor a reason apart from its line', async () => {
  let broken = 0
  for (const count of [25, 26, 27, 28, 29, 30]) {
    const rows = Array.from({ length: count }, (_unused, index): [string, number, string] => [`Sato ${index}`, 1, 'x'])
    const { pages } = await printed([tableOf(rows)])
    const own = pages.map((page) => page.filter(([name]) => name?.startsWith('Sato')).length)
    expect(
      own.reduce((sum, one) => sum + one, 0),
      String(count),
    ).toBe(count)
    if (own.length > 1) expect(own.at(-1), String(count)).toBeGreaterThan(4)
    if (own.length > 1) broken++
  }
  expect(broken).toBeGreaterThan(3)
  for (const before of [21, 22, 23, 24, 25]) {
    const rows = Array.from({ length: before }, (_unused, index): [string, number, string] => [`Sato ${index}`, 1, 'x'])
    const block = tableOf([...rows, ['Explained', 1, 'x']])
    if (block.kind !== 'table') throw new Error('not a table')
    const table = { ...block.table, rows: [...block.table.rows, { cells: ['Reason: rain\nAction: a roof', null, null, null, null] }] }
    const page = (await printed([{ kind: 'table', table }])).pages.find((lines) => lines.flat().includes('Explained'))!
    expect(page.flat(), String(before)).toEqual(expect.arrayContaining(['Reason: rain', 'Action: a roof']))
  }
})
it('numbers its pages and repeats the headings of a table on each, tagged in English', async () => {
  const rows = Array.from({ length: 60 }, (_unused, index): [string, number, string] => [`Sato ${index}`, 1, 'x'])
  const pdf = await printed([tableOf(rows), { kind: 'signatures', roles: [{ role: 'Prepared by', name: 'Ruth' }] }])
  const words = pdf.pages.map((page) => page.map((line) => line.join(' ')))
  expect(words.map((page) => page.find((line) => /Page \d+ of \d+$/.test(line)))).toEqual(
    words.map((_page, index) => expect.stringContaining(`Page ${index + 1} of ${words.length}`)),
  )
  const heading = pdf.pages[0]!.find((line) => line.includes('Budget £'))
  for (const page of pdf.pages.filter((lines) => lines.some(([first]) => first?.startsWith('Sato')))) expect(page).toContainEqual(heading)
  expect(words.at(-1)!.join('\n')).toMatch(/Prepared by: .* Signed Date/)
  expect(pdf).toMatchObject({ language: 'en-GB', isTagged: true, title: 'Long · Rows' })
})
