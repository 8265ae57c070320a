import { strFromU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { createTemplateWorkbook } from '../../../client/resources/sheets/templateFile.ts'
import { convertCsvToWorkbook } from '../../../client/shell/files/csvToWorkbook.ts'
import { readAmount } from '../../../domain/files/cells.ts'
import { formatCellNumber, readNumberFormats } from '../../../domain/files/numberFormats.ts'
import { listSimilarSheets, readSheets, type SheetContent } from '../../../domain/files/sheets.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import { createWorkbook as workbookOf } from '../../../server/core/workbook.ts'

const text = (words: string): Uint8Array => new TextEncoder().encode(words)
const bufferOf = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer

/** The names and rows of a file’s sheets. */
const read = (name: string, bytes: ArrayBuffer, of?: SheetContent) =>
  readSheets(name, new Uint8Array(bytes), of).map(({ name, rows }) => ({ name, rows }))

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const namespace = 'http://schemas.openxmlformats.org'

/** A workbook of one sheet with this XML as its rows. */
function workbook(sheetData: string, more: Record<string, Uint8Array> = {}): ArrayBuffer {
  const parts = {
    '[Content_Types].xml': `${xml}<Types xmlns="${namespace}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="rId1" Type="${namespace}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${xml}<workbook xmlns="${namespace}/spreadsheetml/2006/main" xmlns:r="${namespace}/officeDocument/2006/relationships"><sheets><sheet name="Ledger" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="rId1" Type="${namespace}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${namespace}/spreadsheetml/2006/main">${sheetData}</worksheet>`,
  }
  return bufferOf(zipSync({ ...Object.fromEntries(Object.entries(parts).map(([name, words]) => [name, text(words)])), ...more }))
}

const cell = (place: string, words: string): string => `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`
const rows = `<sheetData><row r="1">${cell('A1', 'Account')}${cell('B1', 'Amount')}</row><row r="2">${cell('A2', '4000')}<c r="B2"><v>12.5</v></c></row></sheetData>`

/** A workbook whose zip directory gives this size for every unpacked part. */
function saying(bytes: Uint8Array, size: number): ArrayBuffer {
  const changed = bytes.slice()
  const view = new DataView(changed.buffer)
  for (let at = 0; at < changed.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true)
  return changed.buffer
}

/** What reading throws; null if it succeeds. */
function problemOf(reading: () => unknown): unknown {
  try {
    reading()
    return null
  } catch (error) {
    return error
  }
}

/** The sentences that a user reads when a file is refused. */
function refused(name: string, bytes: ArrayBuffer): string {
  const error = problemOf(() => read(name, bytes)) ?? new Error('It was read.')
  expect(error).toBeInstanceOf(DomainError)
  return (error as Error).message
}

/** Expects one sentence that says what is wrong, and one or two that say what to do. */
function isPlain(message: string): void {
  expect(message).toMatch(/^[A-Z][^<>{}]+\.$/)
  expect(message.length).toBeLessThan(200)
  expect(message).not.toMatch(/undefined|null|NaN|Error|XML|zip|at \w+ \(/)
}

describe('a workbook', () => {
  it('that is intact is read', async () => {
    expect(read('ledger.xlsx', workbook(rows))).toEqual([{ name: 'Ledger', rows: ['Account\tAmount', '4000\t12.5'] }])
  })
  it('is read as displayed: percentages, dates, numbers with leading zeros', async () => {
    const columns = (['text', 'percent', 'date', 'number'] as const).map((kind) => ({ title: kind, kind }))
    const { body } = await workbookOf('rates', [
      { name: 'Rates & more', about: [], columns, rows: [{ cells: ['007', 3.5, '2026-09-01', 0.035] }] },
    ])
    const sheets = read('rates.xlsx', bufferOf(new Uint8Array(body)))
    expect(sheets).toEqual([{ name: 'Rates & more', rows: ['text\tpercent\tdate\tnumber', '007\t3.5%\t2026-09-01\t0.035'] }])
  })
  it('never reads another currency or thousands as pounds', () => {
    const shown = (code: string, value: number, id = 164): string => {
      const styles = `<styleSheet><numFmts><numFmt numFmtId="${id}" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`
      return formatCellNumber(value, assertDefined(readNumberFormats(styles)[0]), 1900)
    }
    for (const code of ['[$€-2] #,##0.00', '&quot;$&quot;#,##0.00', '[$USD] 0.00', '0.0&quot;k&quot;', '0.0 \\m'])
      expect(readAmount(shown(code, 12.5)), code).toHaveProperty('problem')
    // Here the comma divides what is shown, and the number itself is in pounds.
    const pounds = ['#,##0,&quot;k&quot;', '[$£-809]#,##0.00', '[Red]#,##0.00;[Blue]-#,##0.00', '_-&quot;£&quot;* #,##0.00_-']
    for (const code of pounds) expect(readAmount(shown(code, 12.5)), code).toEqual({ value: 1250 })
    // Spreadsheets show the built-in formats in the currency of the reader.
    expect(readAmount(shown('&quot;$&quot;#,##0.00', 12.5, 44))).toEqual({ value: 1250 })
    expect(readAmount(shown('#,##0.00&quot; CR&quot;', 12.5))).toEqual({ value: -1250 })
    expect(readAmount(shown('#,##0.00;#,##0.00&quot; CR&quot;', -12.5))).toEqual({ value: -1250 })
  })
  it('that is a workbook by name only is refused', async () => {
    for (const bytes of [text('Account,Amount\n4000,1'), new Uint8Array(0), new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), text('%PDF-1.7')]) {
      const message = refused('ledger.xlsx', bufferOf(bytes))
      isPlain(message)
      expect(message).toBe('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
    }
  })
  it('that was cut off or damaged is refused or read correctly', async () => {
    const whole = new Uint8Array(workbook(rows))
    for (const length of [2, 30, whole.length / 2, whole.length - 30, whole.length - 1])
      isPlain(refused('a.xlsx', bufferOf(whole.slice(0, length))))
    for (let at = 2; at < whole.length; at += 7) {
      const changed = whole.slice()
      changed[at] = changed[at]! ^ 0xff
      const said = problemOf(() => read('a.xlsx', bufferOf(changed)))
      if (said) expect(said).toBeInstanceOf(DomainError)
      if (said instanceof DomainError) isPlain(said.message)
    }
  })
  it('without a sheet, or with an unreadable one, is refused', async () => {
    const others = [
      bufferOf(zipSync({ 'readme.txt': text('hello') })),
      bufferOf(zipSync({ 'word/document.xml': text(`${xml}<document/>`) })),
      workbook(rows, { 'xl/worksheets/sheet1.xml': text('<worksheet><sheetData><row r="1"><c r="A1"') }),
      workbook(rows, { 'xl/workbook.xml': text('not at all') }),
      workbook('<sheetData><row r="1"><c r="A1" t="s"><v>99</v></c></row></sheetData>'),
    ]
    for (const bytes of others) isPlain(refused('a.xlsx', bytes))
  })
  it('that would unpack to far more than its size is refused before it is unpacked', async () => {
    const bomb = saying(new Uint8Array(workbook(rows)), 60_000_000)
    expect(refused('bomb.xlsx', bomb)).toBe(
      'The workbook unpacks to more than 250 MB. Keep the one sheet that is needed, or save it as CSV.',
    )
  })
  it('that claims to unpack to less than it does is refused, or read only up to that size', async () => {
    const long = text(`<worksheet>${' '.repeat(2_000_000)}${rows}</worksheet>`)
    isPlain(refused('bomb.xlsx', saying(new Uint8Array(workbook(rows, { 'xl/worksheets/sheet1.xml': long })), 40)))
  })
  it('with too many rows is refused before it is read, and so is a CSV with a million', async () => {
    const many = Array.from({ length: 150_000 }, (_unused, index) => `<row r="${index + 1}"><c r="A${index + 1}"><v>1</v></c></row>`).join(
      '',
    )
    const sentence = 'The file has more than 120,000 rows. Export fewer at once.'
    expect(refused('many.xlsx', workbook(`<sheetData>${many}</sheetData>`))).toBe(sentence)
    expect(refused('many.csv', bufferOf(text('4000,1\n'.repeat(1_000_000))))).toBe(sentence)
  }, 120_000)
})

describe('a list of the product saved as a workbook', () => {
  it('keeps codes and formulas as text, dates as dates and figures as figures, and is read back unchanged', async () => {
    const csv = '\uFEFFCode,From,Rate,Amount,Words\r\n0071,2026-09-01,3.5,1234.50,"\'=1+1"\r\n1020,,28.68,-2.00,\r\n'
    const bytes = await (await convertCsvToWorkbook(csv, 'Rates: 2026/27', { Rate: 'percent' })).arrayBuffer()
    const xml = strFromU8(unzipSync(new Uint8Array(bytes))['xl/worksheets/sheet1.xml']!)
    expect(xml).not.toMatch(/<f[ >]/)
    for (const value of ['0.035', '0.2868', '1234.5', '-2']) expect(xml).toContain(`<v>${value}</v>`)
    const rows = ['Code\tFrom\tRate\tAmount\tWords', '0071\t2026-09-01\t3.5%\t1234.5\t=1+1', '1020\t\t28.68%\t-2']
    expect(read('rates.xlsx', bytes, 'records')).toEqual([{ name: 'Rates  2026 27', rows }])
  })
})

describe('a template', () => {
  const column = (heading: string, more: object) => ({
    heading,
    name: heading,
    isRequired: true,
    kind: 'text' as const,
    choices: [],
    isSeveral: false,
    ...more,
  })
  const many = Array.from({ length: 30 }, (_unused, at) => ({ value: `${at}`.padStart(3, '0'), meaning: `Code & <${at}>` }))
  const template = {
    name: 'Codes',
    columns: [
      column('Code', {}),
      column('Kind', { choices: many }),
      column('From', { kind: 'date' }),
      column('Rate', { kind: 'number' }),
      column('Apprentice', {
        choices: [
          { value: 'Yes', meaning: null },
          { value: 'No', meaning: null },
        ],
      }),
    ],
  }
  it('as a workbook offers the possible values of its cells, all on a second sheet with their meanings', async () => {
    const { body } = await createTemplateWorkbook(template)
    const parts = unzipSync(new Uint8Array(await (body as Blob).arrayBuffer()))
    const sheet = strFromU8(assertDefined(parts['xl/worksheets/sheet1.xml']))
    expect(sheet).toMatch(/<\/sheetData><dataValidations count="4">/)
    expect(sheet).toMatch(/type="list"[^>]* sqref="B2:B1001"><formula1>Choices!\$A\$2:\$A\$31</)
    expect(sheet).toMatch(/type="list"[^>]* sqref="E2:E1001"><formula1>Choices!\$C\$2:\$C\$3</)
    expect(sheet).toMatch(/type="date"[^>]* sqref="C2:C1001"/)
    const [, columns, choices] = read('codes.xlsx', await (body as Blob).arrayBuffer(), 'records')
    expect(columns?.rows[2]).toBe('Kind\tKind\tYes\tOne of the 30 on the sheet Choices, under Kind')
    // The sheets that explain the columns are not mistaken for more rows of the table.
    const sheets = readSheets('codes.xlsx', new Uint8Array(await (body as Blob).arrayBuffer()), 'records')
    const headings = template.columns.map(({ heading }) => heading)
    expect(listSimilarSheets(sheets, 0, headings)).toEqual([])
    expect(
      listSimilarSheets([...sheets, { ...assertDefined(sheets[0]), name: 'More', rows: [headings.join('\t'), '1'] }], 0, headings),
    ).toEqual(['More'])
    expect(choices?.rows.slice(0, 3)).toEqual(['For Kind\t\tFor Apprentice', '000\tCode & <0>\tYes', '001\tCode & <1>\tNo'])
  })
})
