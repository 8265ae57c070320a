import { strFromU8, unzipSync } from 'fflate'
import { HyperFormula } from 'hyperformula'
import { describe, expect, it } from 'vitest'
import { addExtraColumns, noExtraColumns } from '../../../domain/reports/extraColumns.ts'
import { getCellType, type Report } from '../../../domain/reports/report.ts'
import { createReportCsv, writeProfileFiles } from '../../../server/shared/reports/files.ts'
import { sampleReports, sampleTrust } from '../../support/samples/sampleReports.ts'
import {
  buildWorkbook,
  buildWorkbooks,
  describeFile,
  now,
  older,
  olderNote,
  readTabs,
  reportNames,
  scope,
} from '../../support/samples/sampleWorkbooks.ts'
import { readCells } from '../../support/samples/workbookCells.ts'
import { buildMoneyReport, trustSchools } from '../../support/stories/trustMoney.ts'

const pounds = (value: string | number | null, type: string): string | number | null =>
  typeof value === 'number' && type === 'money' ? value / 100 : value

describe('a report as a workbook', () => {
  it.each(reportNames)('has the figures of the report to the penny: %s', async (name) => {
    const report = sampleReports.get(name)!
    const bytes = await buildWorkbook(report, describeFile(name))
    const sheets = await readTabs(bytes)
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['All', 'Parameters'])
    const [, , headings, ...rows] = sheets[0]!.data
    expect(headings).toEqual([report.title, ...report.columns.map(({ title }) => title)])
    const written = rows.filter((row) => row.some((cell) => cell !== null))
    const filled = report.rows.filter((row) => row.kind !== 'Empty' || row.label)
    expect(written).toHaveLength(filled.length)
    for (const [index, row] of filled.entries()) {
      expect(String(written[index]![0]).trim()).toBe(row.label.trim())
      for (const [at, column] of report.columns.entries()) {
        const where = `${row.label} ${column.title}`
        const type = getCellType(row, column)
        const [cell, value] = [written[index]![at + 1] ?? null, pounds(row.values[at] ?? null, type)]
        if (type === 'percent' && value !== null) expect(cell === null ? null : Math.round((cell as number) * 1000) / 10, where).toBe(value)
        else if (type === 'date') expect(cell instanceof Date ? cell.toISOString().slice(0, 10) : cell, where).toBe(value)
        // What could not be calculated is said in words, and is never a figure.
        else if (value === null) expect(typeof cell, where).not.toBe('number')
        else expect(cell ?? '', where).toBe(value)
      }
    }
  })
  it('repeats its headings and row names on every printed page', async () => {
    const bytes = await buildWorkbook(sampleReports.get('budgetAnalysis')!, describeFile('budgetAnalysis'))
    const book = strFromU8(unzipSync(bytes)['xl/workbook.xml']!)
    const titles = [...book.matchAll(/<definedName name="_xlnm.Print_Titles" localSheetId="(\d+)">'(.*?)'!\$A:\$A,'.*?'!\$1:\$(\d)</g)]
    expect(titles.map(([, index, name, last]) => [index, name, last])).toEqual([
      ['0', 'All', '3'],
      ['1', 'Parameters', '2'],
    ])
  })
  it('has a tab for each school after that of all schools, each with its own figures', async () => {
    const report = sampleReports.get('budgetAnalysis')!
    const each = trustSchools.map((location, place) => {
      const own = { ...sampleTrust, lines: sampleTrust.lines.filter((one) => one.place === place) }
      return { location, report: buildMoneyReport('budgetAnalysis', own) }
    })
    const shown = (one: Report): Report => addExtraColumns(one, { perPupil: true, ofIncome: false, change: true })
    const bytes = await buildWorkbook(
      shown(report),
      describeFile('budgetAnalysis'),
      each.map((one) => ({ ...one, report: shown(one.report) })),
    )
    const sheets = await readTabs(bytes)
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['All', ...trustSchools.map(({ name }) => name), 'Parameters'])
    const pennies = sheets.slice(0, -1).map(({ data }) => {
      const value = data.find((row) => String(row[0]).trim() === 'In-year balance')![1]
      return Math.round(Number(value) * 100)
    })
    expect(pennies[0]).toBe(pennies.slice(1).reduce((sum, one) => sum + one, 0))
    // The optional columns beside the amounts are in the file too.
    expect(sheets[0]!.data[2]).toContain('2027/28: change')
  })
  it('of one school names it', async () => {
    const one = { ...scope, budgets: scope.budgets.slice(0, 1) }
    const sheets = await readTabs(await buildWorkbook(sampleReports.get('staffing')!, describeFile('staffing', { scope: one })))
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['Northgate', 'Parameters'])
    expect(sheets[0]!.data[0]![0]).toBe('Staffing · Northgate')
  })
  it('names the request, so that anybody can repeat it', async () => {
    const report = { ...sampleReports.get('budgetAnalysis')!, notCalculated: 2 }
    const request = { scheme: 1, costCentreIds: [1, 2], budgetCodeIds: [] }
    const sheets = await readTabs(await buildWorkbook(report, describeFile('budgetAnalysis', { request, older })))
    expect(sheets.at(-1)!.data.slice(2)).toEqual([
      ['Report', 'Budget analysis'],
      ['Organisation', 'Harbour Trust'],
      ['As at', expect.stringContaining('2026')],
      ['Years', '2026/27, 2027/28'],
      ['Group by', 'CFR'],
      ['Cost centres', '2 choices'],
      ['Fund codes', 'all'],
      ['Analysis tags', 'all'],
      ['Budget codes', 'all'],
      ['Not calculated', 'Excludes 2 items that could not be calculated.'],
      ['Costs', olderNote],
      ['Left out: no budget for those years', 'Trust office'],
      ['Budget of Northgate', 'Budget of Northgate'],
      ['Budget of Southgate', 'Budget of Southgate'],
    ])
  })
  it.each([
    ['budgetForecastReturn', 'BFR'],
    ['cfrReturn', 'CFR'],
    ['trialBudget', 'ACOA'],
    ['budgetAnalysis', 'Custom'],
    ['pupilNumbers', undefined],
  ] as const)('names the columns of a return, whatever else was requested: %s by %s', async (name, by) => {
    const sheets = await readTabs(await buildWorkbook(sampleReports.get(name)!, describeFile(name, { request: { scheme: 4 } })))
    expect(sheets.at(-1)!.data.find(([what]) => what === 'Group by')?.[1]).toBe(by)
    expect(sheets.at(-1)!.data.find(([what]) => what === 'Costs')?.[1]).toBe('Up to date.')
  })
})

describe('a workbook with live formulas', () => {
  const isFormula = (value: string | number): boolean => String(value).startsWith('=')

  it.each(reportNames)('is calculated by a spreadsheet to the same pennies, cell by cell, and its check cells agree: %s', async (name) => {
    const [plain, live] = (await buildWorkbooks(name)).map(readCells)
    expect(live!.map(({ cells }) => cells.length > 0)).toEqual(plain!.map(() => true))
    for (const [tab, { cells, rows }] of live!.entries()) {
      const where = `tab ${tab + 1}`
      const sheet = HyperFormula.buildFromArray(rows, { licenseKey: 'gpl-v3' })
      const before = plain![tab]!.rows
      const formulas = cells.filter(({ value }) => isFormula(value))
      for (const { row, column, value, stored } of cells) {
        const at = `${where} ${row + 1}:${column + 1}`
        // The value stored with a formula, which programs show before calculating, is its result.
        if (isFormula(value)) expect(stored, at).toBe(before[row]?.[column] ?? 0)
        if (row >= before.length) continue
        const is = sheet.getCellValue({ sheet: 0, row, col: column })
        const was = before[row]![column]
        if (isFormula(value)) expect(Math.round(Number(is) * 100), at).toBe(Math.round(Number(was) * 100))
        else if (typeof was === 'number') expect(is, at).toBeCloseTo(was, 9)
        else expect(is ?? null, at).toBe(was ?? null)
      }
      if (tab === live!.length - 1) {
        expect(formulas, where).toEqual([])
        continue
      }
      // Every total of money with a figure is a formula; a share of a single figure is not.
      const headings = rows[2]!
      const isMoney = (column: number): boolean => /^\d{4}\/\d{2}$|: change$|^All$| 20\d\d$/.test(String(headings[column]))
      for (const [row, words] of before.entries())
        for (const [column, was] of words.entries())
          if (/^ *Total (?!opening|closing)/.test(String(words[0])) && typeof was === 'number' && was !== 0 && isMoney(column))
            expect(String(rows[row]![column]), `${where} ${words[0]}, ${headings[column]}`).toMatch(/^=/)
      // Measures are ratios, so they have no totals.
      if (name === 'measures') continue
      // The check cell under the table shows 0, until a figure is changed.
      const proof = formulas.at(-1)!
      const at = { sheet: 0, row: proof.row, col: proof.column }
      expect(proof.row, where).toBe(rows.length - 1)
      expect(sheet.getCellValue(at), where).toBe(0)
      const isProven = (column: number): boolean => column >= proof.column || / £000$/.test(String(headings[column]))
      const isApart = (column: number): boolean => / change since £000$/.test(String(headings[column]))
      for (const kind of [/£000/, /^(?!.*£000)/]) {
        const figure = cells.find(
          ({ row, column, value }) =>
            row > 2 && isProven(column) && !isApart(column) && kind.test(String(headings[column])) && typeof value === 'number',
        )
        if (!figure) continue
        sheet.setCellContents({ sheet: 0, row: figure.row, col: figure.column }, [[Number(figure.value) + 100]])
        expect(Math.abs(Number(sheet.getCellValue(at))), `${where} ${headings[figure.column]}`).toBeGreaterThan(0)
        sheet.setCellContents({ sheet: 0, row: figure.row, col: figure.column }, [[figure.value]])
      }
      if (name === 'budgetForecastReturn') expect(headings.some((one) => / £000$/.test(String(one)))).toBe(true)
      sheet.destroy()
    }
  })
})

describe('a report as text', () => {
  it('has money with two decimals, and says what could not be calculated', () => {
    const { body } = createReportCsv(
      {
        title: 'Budget analysis',
        columns: [
          { key: 'year=2026/27', title: '2026/27', type: 'money' },
          { key: 'pupils', title: 'Pupils', type: 'number' },
        ],
        rows: [
          { kind: 'SectionHeader', label: 'Income', values: [null, null], drill: null, level: 0, missing: 0 },
          { kind: 'Data', label: '1000 Grant, general', values: [123_450, 12.5], drill: null, level: 1, missing: 0 },
          { kind: 'SectionFooter', label: 'Total income', values: [null, null], drill: null, level: 0, missing: 3 },
        ],
        notCalculated: 1,
        bases: [
          { income: null, pupils: null },
          { income: null, pupils: null },
        ],
      },
      [],
      now,
    )
    expect(body.replace('\uFEFF', '').split('\r\n')).toEqual([
      'Row,Budget analysis,2026/27,Pupils',
      'SectionHeader,Income,,',
      'Data,"1000 Grant, general",1234.50,12.5',
      'SectionFooter,Total income,not calculated,not calculated',
      '',
    ])
  })
  it('ends with the budgets whose costs are out of date', () => {
    const { body } = createReportCsv(sampleReports.get('stakeHolder')!, older, now)
    expect(body).toContain(`Empty,${olderNote},`)
    expect(createReportCsv(sampleReports.get('stakeHolder')!, [], now).body).not.toContain('out of date')
  })
  it('of the forecast return says in words which year is not available', () => {
    const lines = createReportCsv(sampleReports.get('budgetForecastReturn')!, [], now).body.split('\r\n')
    expect(lines.find((line) => line.includes('298 Total revenue income'))).toContain(',not available,')
  })
  it('has the optional columns beside the amounts', () => {
    const shown = addExtraColumns(sampleReports.get('budgetAnalysis')!, { ...noExtraColumns, ofIncome: true })
    expect(createReportCsv(shown, [], now).body).toContain('2026/27: % of income')
  })
})

describe('B-238 the machine-readable report', () => {
  const report = sampleReports.get('profileBudgetAnalysis')!
  const [northgate, southgate] = trustSchools
  it('of one school is one CSV file, with the months of its totals', () => {
    const file = writeProfileFiles([{ location: northgate!, report }], [], now)
    expect(file.contentType).toBe('text/csv; charset=utf-8')
    const total = report.rows.find((row) => row.label === 'Total income')!.values.map((value) => (Number(value) / 100).toFixed(2))
    expect(file.body.toString()).toContain(`SectionFooter,Total income,${total.join(',')}`)
  })
  it('of several schools is a zip with a file for each, separates equal names, and says of each school whether its costs are out of date', () => {
    const twin = { ...southgate!, name: 'NORTHGATE' }
    const file = writeProfileFiles(
      [northgate!, twin, { ...trustSchools[2]!, name: 'Office: 1/2' }].map((location) => ({ location, report })),
      older,
      now,
    )
    expect(file.contentType).toBe('application/zip')
    const parts = unzipSync(new Uint8Array(file.body))
    expect(Object.keys(parts)).toEqual(['Northgate.csv', `NORTHGATE (${twin.id}).csv`, 'Office- 1-2.csv'])
    expect(Object.values(parts).map((part) => strFromU8(part).includes(olderNote))).toEqual([true, false, false])
  })
})
