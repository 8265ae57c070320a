import { readAmount } from '../files/cells.ts'
import { type Cells, findHeadings, maxHeadingRow } from '../files/headings.ts'
import { createTotalFinder, exactTotalNamePattern } from '../files/totals.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { keysOf } from '../values/keysOf.ts'
import { type FileColumn, matchColumns } from './columns.ts'
import { type FileRow, findImportLayout, type ImportLayout } from './importLayout.ts'

/** The table in a file: the number of its heading row, and the import column that each column of the file fills. */
export interface FileTable {
  /** The row number as in the spreadsheet, from 1. */
  headingRow: number
  /** For each column of the file, the heading of the import column that it fills; null if it is not used. */
  columns: (string | null)[]
}

/** Headings that other systems use for a column, by the column's heading split into words. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'employee number': [
    'emp no',
    'employee no',
    'employee id',
    'employee',
    'employee ref',
    'employee reference',
    'payroll no',
    'payroll ref',
    'payroll number',
    'staff no',
    'staff number',
    'personnel number',
  ],
  forename: ['first name', 'given name', 'forenames'],
  surname: ['last name', 'family name'],
  'date of birth': ['dob', 'birth date'],
  'ni number': ['nino', 'national insurance number', 'national insurance no', 'national insurance', 'ni no', 'ni'],
  'continuous service date': ['continuous service', 'continuous service start', 'service start'],
  email: ['e mail', 'email address', 'work email'],
  'contract name': ['post', 'post title', 'job title', 'job', 'role', 'job role', 'contract', 'assignment'],
  'contract type name': ['contract type', 'staff group', 'staff category', 'staff type', 'category', 'employee group'],
  position: ['job title', 'post title'],
  'service term': ['service terms', 'terms', 'pay group', 'payroll code', 'pay code', 'pay element group'],
  'start date': ['contract start', 'contract start date', 'start', 'started', 'date started', 'date from', 'from'],
  'end date': ['contract end', 'contract end date', 'end', 'date to', 'to', 'leaving date', 'leaver date'],
  'effective date': ['effective from', 'salary from', 'pay from'],
  'scale point': [
    'spine point',
    'pay point',
    'scp',
    'point on scale',
    'grade point',
    'point',
    'salary point',
    'pay scale point',
    'pay scale',
    'spine',
  ],
  'hours per week': ['weekly hrs', 'weekly hours', 'hrs', 'hours', 'contracted hours'],
  'weeks per year': ['paid weeks', 'weeks paid', 'weeks', 'wks', 'weeks worked'],
  'er pension': ['pension', 'in pension', 'pension scheme', 'pension scheme member', 'pension member'],
  fte: ['full time equivalent', 'fte ratio', 'annual fte', 'contract fte', 'fte annual'],
  code: ['ledger code', 'nominal code', 'nominal', 'account code', 'account'],
  amount: ['budget', 'annual budget', 'annual amount', 'total', 'value', 'budget amount'],
  'budget year name': ['budget year', 'financial year', 'academic year', 'year'],
  description: ['name', 'title', 'details', 'narrative'],
  'budget code': ['code', 'ledger code', 'gl code', 'nominal code', 'nominal', 'account code', 'account'],
  'cost centre': ['cost center', 'centre'],
  'fund code': ['fund'],
  'local authority': ['la', 'lea', 'la name', 'local authority name', 'authority', 'council'],
  'dfe number': ['dfe no', 'dfe', 'dfes number', 'dfes no', 'laestab', 'la estab', 'establishment number', 'estab'],
  'reference number': ['reference', 'ref', 'urn'],
  'contract expiry date': ['contract expiry', 'contract ends', 'expiry date'],
  'address line 1': ['address', 'street', 'address 1'],
  'address code': ['postcode', 'post code'],
  'phone number': ['phone', 'telephone', 'telephone number', 'tel', 'tel no'],
  'head teacher': ['headteacher', 'head', 'principal', 'headteacher name'],
  'user groups': ['user group', 'role', 'roles', 'group', 'groups', 'access', 'permissions'],
  locations: ['school', 'schools', 'academy', 'location', 'site'],
  location: ['school', 'academy', 'site'],
  'year group': ['ncy', 'nc year', 'nc year actual', 'national curriculum year', 'year', 'class', 'class year'],
  pupils: [
    'on roll',
    'number on roll',
    'nor',
    'headcount',
    'pupils on roll',
    'number of pupils',
    'no of pupils',
    'number',
    'children',
    'students',
    'total',
  ],
}

/** Splits a heading into words, so that `EmployeeNumber`, `Employee_no.` and `employee number` can be compared. */
function splitHeading(heading: string): string[] {
  return heading
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter(Boolean)
}

/** Joins the words of a heading without spaces, so that `DfES no` (three words) equals `DfESNo`. */
const joinWords = (heading: string): string => splitHeading(heading).join('')

/** Matches the first text of a row that may be a total: `Total`, `Sub-total of support staff`, `KS1 total`, `Whole school`. */
const totalWords =
  /^(grand |sub-?)?totals?\b|\b(sub-?)?totals?:?$|^(whole school|all (pupils|years|year groups|classes)|(number|pupils) on roll|nor)$/i
const exactTotals = /^(?:grand |sub-?)?totals?:?$/i

/**
 * Whether a row may be a total: its first text says so and every other cell is a figure. The row of a supplier called Total is not a total,
 * because it also has a code.
 */
function mayBeTotal(row: readonly string[]): boolean {
  const [first, ...others] = row.map((cell) => cell.trim()).filter(Boolean)
  return first !== undefined && totalWords.test(first) && others.every((cell) => 'value' in readAmount(cell))
}

/**
 * Finds the import column for each heading of a file: by the column's own heading, by an earlier choice, by its label, or by another name
 * of the column. Partial matches are never used.
 * @param labels of the fields, by name
 * @param learned earlier choices by `normaliseLearnedHeading`; null means that the column is not imported
 */
export function matchImportColumns(
  headings: readonly string[],
  {
    columns,
    labels,
    learned = new Map(),
  }: { columns: readonly FileColumn[]; labels: Record<string, string>; learned?: ReadonlyMap<string, string | null> },
): (string | null)[] {
  const { matched } = matchColumns(columns, headings, labels)
  // If a heading appears twice, only the first column is matched.
  const named = headings.map((heading, index) => (headings.indexOf(heading) === index ? (matched.get(heading)?.heading ?? null) : null))
  const taken = new Set(named.filter((one) => one !== null))
  const take = (heading: string | null | undefined): string | null => {
    if (!heading || taken.has(heading) || !columns.some((column) => column.heading === heading)) return null
    taken.add(heading)
    return heading
  }
  const known = headings.map((heading, index) => named[index] ?? take(learned.get(normaliseLearnedHeading(heading))))
  return headings.map((heading, index) => {
    if (known[index] || learned.has(normaliseLearnedHeading(heading))) return known[index] ?? null
    const words = joinWords(heading)
    const isNamed = ({ heading: own, field, called, isCalled }: FileColumn): boolean => {
      const names = [own, labels[field] ?? '', ...(called ?? otherNames[splitHeading(own).join(' ')] ?? [])]
      return names.some((name) => joinWords(name) === words) || Boolean(isCalled?.(heading.trim()))
    }
    return take(words ? columns.find((column) => !taken.has(column.heading) && isNamed(column))?.heading : null)
  })
}

/** Lists the choices to remember after an import: those that differ from the automatic match, or from the remembered choice. */
export function listColumnChoicesToRemember(
  headings: readonly string[],
  chosen: readonly (string | null)[],
  {
    columns,
    labels,
    learned,
  }: { columns: readonly FileColumn[]; labels: Record<string, string>; learned: ReadonlyMap<string, string | null> },
): { heading: string; column: string | null }[] {
  const bySelf = matchImportColumns(headings, { columns, labels })
  return headings.flatMap((words, index) => {
    const heading = normaliseLearnedHeading(words)
    const column = chosen[index] ?? null
    const expected = learned.has(heading) ? learned.get(heading) : (bySelf[index] ?? null)
    return heading && column !== expected ? [{ heading, column }] : []
  })
}

const surnames = 'surname|last name|family name'
const forenames = 'forenames?|first names?|given names?'
const bothNames = {
  'surname first': new RegExp(`^(${surnames}) (and )?(${forenames})$`),
  'forename first': new RegExp(`^(${forenames}) (and )?(${surnames})$`),
}
const wholeName = /^(employee|staff|full|person|staff member)? ?names?$/

/**
 * Finds the order of the names in a column that contains forename and surname; null if it contains only one name. The heading `Name` alone
 * is not enough: the cells must look like `Okafor, Amira`.
 */
function findNameOrder(heading: string, below: readonly string[]): keyof typeof bothNames | null {
  const words = splitHeading(heading).join(' ')
  const said = keysOf(bothNames).find((order) => bothNames[order].test(words))
  if (said) return said
  const isOfPeople = below.length > 0 && below.every((cell) => /^[^,]+, [^,]+$/.test(cell.trim()))
  return wholeName.test(words) && isOfPeople ? 'surname first' : null
}

/** Splits a cell into surname and forename: at the comma or, without a comma, at the space next to the surname. */
function splitNames(cell: string, order: keyof typeof bothNames): [string, string] {
  const text = cell.trim()
  const comma = text.indexOf(',')
  if (comma >= 0) return [text.slice(0, comma).trim(), text.slice(comma + 1).trim()]
  const space = order === 'surname first' ? text.indexOf(' ') : text.lastIndexOf(' ')
  if (space < 0) return [text, '']
  const [before, after] = [text.slice(0, space).trim(), text.slice(space).trim()]
  return order === 'surname first' ? [before, after] : [after, before]
}

/**
 * Replaces a column of full names by a column of surnames and a column of forenames. Titles and totals keep their text.
 * @param columns of the import; nothing is split unless Surname and Forename are among them
 */
export function splitNameColumn(cells: string[][], columns: readonly FileColumn[]): string[][] {
  const wanted = ['Surname', 'Forename']
  if (!wanted.every((heading) => columns.some((column) => column.heading === heading))) return cells
  for (const [row, headings] of cells.slice(0, maxHeadingRow).entries()) {
    // A title above the table is in one cell; headings are in several.
    if (headings.filter((cell) => cell.trim()).length < 3) continue
    for (const [at, heading] of headings.entries()) {
      const below = cells.slice(row + 1).filter((line) => line.filter((cell) => cell.trim()).length > 2 && !mayBeTotal(line))
      const order = findNameOrder(
        heading,
        below.flatMap((line) => (line[at]?.trim() ? [line[at]] : [])),
      )
      if (!order) continue
      return cells.map((line, index) => {
        if (at >= line.length) return line
        const cell = line[at] ?? ''
        const apart = index === row ? wanted : index > row && !mayBeTotal(line) ? splitNames(cell, order) : [cell, '']
        return [...line.slice(0, at), ...apart, ...line.slice(at + 1)]
      })
    }
  }
  return cells
}

/** Normalises a heading to the form in which the user's choices are stored. */
function normaliseLearnedHeading(heading: string): string {
  return splitHeading(heading).join(' ').slice(0, 100)
}

/**
 * Finds the table in a file, below any titles. Its heading row is the row that matches the most import columns or, if no row matches any,
 * the first row with several cells.
 */
export function findFileTable(
  cells: Cells,
  {
    columns,
    labels,
    learned,
    layouts = [],
  }: {
    columns: readonly FileColumn[]
    labels: Record<string, string>
    learned?: ReadonlyMap<string, string | null>
    /** Other layouts that the file may have; `columns` includes the columns of these layouts. */
    layouts?: readonly ImportLayout[]
  },
): FileTable {
  const best = findHeadings(cells, (headings) => {
    const found = matchImportColumns(headings, { columns, labels, learned })
    const score = found.filter((one) => one !== null).length
    return score ? { score, columns: found } : null
  })
  if (best) return { headingRow: best.headingRow, columns: matchByCells(cells, best, { columns, layouts }) }
  const first = cells.findIndex((row) => row.filter((cell) => cell.trim()).length > 1)
  const row = Math.max(0, first)
  return { headingRow: row + 1, columns: (cells[row] ?? []).map(() => null) }
}

/**
 * Matches columns by their cells if at least nine cells in ten look like values of an import column. This is for columns without a heading,
 * and for columns whose heading means a column that the file's layout does not have.
 */
function matchByCells(
  cells: Cells,
  { headingRow, columns: matched }: FileTable,
  { columns, layouts }: { columns: readonly FileColumn[]; layouts: readonly ImportLayout[] },
): FileTable['columns'] {
  const replaced = findImportLayout(layouts, matched)?.inPlaceOf ?? []
  const named = matched.map((one) => (one !== null && replaced.includes(one) ? null : one))
  const taken = new Set([...named, ...replaced])
  return named.map((found, at) => {
    if (found !== null || (matched[at] === null && cells[headingRow - 1]?.[at]?.trim())) return found
    const below = cells.slice(headingRow).flatMap((row) => (row[at]?.trim() && !mayBeTotal(row) ? [row[at].trim()] : []))
    const like = columns.find(
      ({ heading, isLike }) => isLike && below.length > 1 && !taken.has(heading) && below.filter(isLike).length * 10 >= below.length * 9,
    )
    if (like) taken.add(like.heading)
    return like?.heading ?? null
  })
}

/**
 * Reads the rows below the headings, without empty rows and totals. A row is a total only if it adds up or counts the rows above it.
 * @returns `totals`: the row numbers of totals, from 1 as in the spreadsheet
 */
export function readFileRows(cells: Cells, { headingRow, columns }: FileTable): { rows: FileRow[]; totals: number[] } {
  const rows: FileRow[] = []
  const totals: number[] = []
  const figures = columns.map((_column, at) => at)
  const adding = createTotalFinder(figures.length)
  const unread = new Set<number>()
  const lastFilled = cells.findLastIndex((row) => row.some((cell) => cell.trim()))
  for (const [index, row] of cells.slice(headingRow).entries()) {
    if (!row.some((cell) => cell.trim())) continue
    const number = headingRow + index + 1
    const values = figures.map((at) => (row[at] ?? '').trim())
    const read = values.map(readAmount)
    const pennies = read.map((one) => ('value' in one ? one.value : 0))
    // If a cell above cannot be read, the sum cannot be checked. The last row is then a total if its first text is Total.
    const isFoot =
      number === lastFilled + 1 &&
      exactTotals.test(row.find((cell) => cell.trim())?.trim() ?? '') &&
      figures.every((at) => !values[at] || 'problem' in assertDefined(read[at]) || unread.has(at))
    if (mayBeTotal(row) && (isFoot || isSumOrCount(values, { pennies, adding, count: rows.length }))) {
      totals.push(number)
      adding.end(pennies)
    } else {
      adding.add(pennies)
      for (const [at, one] of read.entries()) if ('problem' in one) unread.add(at)
      rows.push({ number, cells: Object.fromEntries(columns.flatMap((column, at) => (column ? [[column, row[at] ?? '']] : []))) })
    }
  }
  return { rows, totals }
}

/** Whether the figures of a row are the sums of the rows above, or their number. */
function isSumOrCount(
  values: readonly string[],
  { pennies, adding, count }: { pennies: readonly number[]; adding: ReturnType<typeof createTotalFinder>; count: number },
): boolean {
  const figures = values.map((value) => ('value' in readAmount(value) ? value : ''))
  const isCount = pennies.every((one, at) => !figures[at] || one === count * 100)
  // If there is only one row above, its figure may be equal by chance.
  const isExact = values.some((value) => exactTotalNamePattern.test(value))
  return isCount || adding.isTotal(pennies, figures, isExact ? 1 : 2)
}

/** Lists the headings of required import columns that no column of the file is matched to. */
export function listMissingColumns(columns: readonly FileColumn[], chosen: readonly (string | null)[]): string[] {
  return columns.filter((column) => column.required && !chosen.includes(column.heading)).map((column) => column.heading)
}
