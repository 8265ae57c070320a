import Papa from 'papaparse'
import writeExcelFile, { type Cell, type Feature } from 'write-excel-file/browser'
import type { ImportTemplate, TemplateColumn } from '../../../domain/resources/template.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'

/** Rows of a template that get cell formats and validation. */
const preparedRows = 1000
const choicesSheet = 'Choices'
const shades = { required: '#D9EBEC', optional: '#F0F3F3' }
const dateFormat = 'dd/mm/yyyy'

interface Saved {
  fileName: string
  contentType: string
  body: string | Blob
}

/** Creates an import template as CSV, with headings only (behaviour B-145). */
export function createTemplateCsv({ name, columns }: ImportTemplate): Saved {
  const headings = Papa.unparse([columns.map(({ heading }) => heading)])
  return { fileName: `${name} template.csv`, contentType: 'text/csv; charset=utf-8', body: `\uFEFF${headings}\r\n` }
}

/**
 * Creates an import template as a workbook. A cell with a list of allowed values has a drop-down, date and number cells are validated, and
 * text cells keep leading zeros. Further sheets explain the columns and the codes.
 */
export async function createTemplateWorkbook({ name, columns }: ImportTemplate): Promise<Saved> {
  const lists = columns.filter(({ choices }) => choices.length)
  const body = await writeExcelFile(
    [
      {
        sheet: sheetName(name),
        stickyRowsCount: 1,
        columns: columns.map(({ heading }) => ({ width: Math.max(12, heading.length + 3) })),
        data: [columns.map(headingCell), ...Array.from({ length: preparedRows }, () => columns.map(createEmptyCell))],
      },
      {
        sheet: 'Columns',
        stickyRowsCount: 1,
        columns: [{ width: 26 }, { width: 34 }, { width: 12 }, { width: 60 }],
        data: aboutColumns(columns),
      },
      ...(lists.length
        ? [
            {
              sheet: choicesSheet,
              stickyRowsCount: 1,
              columns: lists.flatMap(() => [{ width: 24 }, { width: 36 }]),
              data: listChoices(lists),
            },
          ]
        : []),
    ],
    { features: [createValidationFeature(columns, lists)] },
  ).toBlob()
  return { fileName: `${name} template.xlsx`, contentType: body.type, body }
}

function headingCell({ heading, isRequired }: TemplateColumn): Cell {
  return { value: heading, type: String, fontWeight: 'bold', backgroundColor: isRequired ? shades.required : shades.optional }
}

/** Creates an empty cell of a column. The text format keeps leading zeros: 007 stays 007. */
function createEmptyCell({ kind }: TemplateColumn): Cell {
  if (kind === 'text') return { value: '', type: String, format: '@' }
  return kind === 'date' ? { value: undefined, type: Date, format: dateFormat } : null
}

function aboutColumns(columns: readonly TemplateColumn[]): Cell[][] {
  const bold = (value: string): Cell => ({ value, type: String, fontWeight: 'bold' })
  const text = (value: string): Cell => ({ value, type: String, wrap: true, alignVertical: 'top' })
  return [
    ['Column', 'What it is', 'Needed', 'Allowed values'].map(bold),
    ...columns.map((column) => [column.heading, column.name, column.isRequired ? 'Yes' : 'No', inWords(column)].map(text)),
  ]
}

function inWords({ kind, choices, heading, isSeveral }: TemplateColumn): string {
  const which = isSeveral ? 'One or more, separated by semicolons,' : 'One'
  if (choices.length > 12) return `${which} of the ${choices.length.toLocaleString('en-GB')} on the sheet ${choicesSheet}, under ${heading}`
  if (choices.length) return `${which} of: ${choices.map(({ value }) => value).join(', ')}`
  return { text: 'Text', number: 'A number', date: 'A date, as in 31/08/2027' }[kind]
}

/** Builds a sheet with the lists next to each other, each with the meanings of its values. */
function listChoices(lists: readonly TemplateColumn[]): Cell[][] {
  const longest = Math.max(...lists.map(({ choices }) => choices.length))
  const text = (value: string | null): Cell => (value ? { value, type: String, format: '@' } : null)
  return [
    lists.flatMap(({ heading }): Cell[] => [{ value: `For ${heading}`, type: String, fontWeight: 'bold' }, null]),
    ...Array.from({ length: longest }, (_unused, at) =>
      lists.flatMap(({ choices }) => [text(choices[at]?.value ?? null), text(choices[at]?.meaning ?? null)]),
    ),
  ]
}

/** Writes data validation into the first sheet: drop-downs, dates and numbers. */
function createValidationFeature(columns: readonly TemplateColumn[], lists: readonly TemplateColumn[]): Feature<File | Blob | ArrayBuffer> {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) => {
            const rules = sheetIndex === 0 ? columns.flatMap((column, at) => buildValidationRule(column, at, lists)) : []
            if (!rules.length) return xml
            // Validation must directly follow the cells; otherwise spreadsheets report a corrupt file.
            return xml.replace('</sheetData>', `</sheetData><dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`)
          },
        },
      },
    },
  }
}

function buildValidationRule(column: TemplateColumn, at: number, lists: readonly TemplateColumn[]): string[] {
  const cells = `sqref="${toColumnLetters(at)}2:${toColumnLetters(at)}${preparedRows + 1}"`
  // If a cell may have several values, its list is only a suggestion.
  const messageAttributes = (title: string, text: string): string =>
    `allowBlank="1" showInputMessage="1" showErrorMessage="${column.isSeveral ? 0 : 1}" errorTitle="${escapeXml(title.slice(0, 32))}" error="${escapeXml(text)}"`
  const rule = (attributes: string, formulas: string): string => `<dataValidation ${attributes} ${cells}>${formulas}</dataValidation>`
  if (column.choices.length) {
    const from = toColumnLetters(lists.indexOf(column) * 2)
    const range = `${choicesSheet}!$${from}$2:$${from}$${column.choices.length + 1}`
    return [
      rule(
        `type="list" ${messageAttributes(column.name, `Choose one from the list. All of them are on the sheet ${choicesSheet}.`)}`,
        formula(1, range),
      ),
    ]
  }
  if (column.kind === 'date')
    return [
      rule(
        `type="date" operator="between" ${messageAttributes(column.name, 'Enter a date, such as 31/08/2027.')}`,
        // 1 January 1900 and 31 December 2199 as date numbers of spreadsheets.
        formula(1, '1') + formula(2, '109574'),
      ),
    ]
  if (column.kind === 'number')
    return [
      rule(
        `type="decimal" operator="between" ${messageAttributes(column.name, 'Enter a number.')}`,
        formula(1, '-1000000000') + formula(2, '1000000000'),
      ),
    ]
  return []
}

function formula(which: 1 | 2, text: string): string {
  return `<formula${which}>${text}</formula${which}>`
}

/** Converts the index of a column to its letters: 0 is A. */
function toColumnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : toColumnLetters(Math.floor(index / 26) - 1) + last
}

/** The file format limits the title of a validation message to 32 characters and its text to 255. */
function escapeXml(text: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.slice(0, 225).replace(/[&<>"]/g, (character) => assertDefined(escapes[character]))
}

function sheetName(name: string): string {
  const plain = name
    .replace(/[[\]:*?/\\']/g, ' ')
    .slice(0, 31)
    .trim()
  return !plain || plain === choicesSheet || plain === 'Columns' ? 'Rows' : plain
}
