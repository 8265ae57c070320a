import { readAmount } from '../files/cells.ts'
import { bestHeadings, type Cells, deepestHeading } from '../files/headings.ts'
import { exactTotal, totalsOf } from '../files/totals.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { keysOf } from '../values/keysOf.ts'
import { type Column, matchColumns } from './columns.ts'

/** The table of a file: which of its rows holds the headings, and which column of the import each of its columns fills. */
export interface FileTable {
  /** From 1, as the spreadsheet counts. */
  headingRow: number
  /** By the place in the file; null: the column is not used. */
  columns: (string | null)[]
}

/** A row of a file as an import takes it. */
export interface FileRow {
  /** From 1, as the spreadsheet counts. */
  number: number
  /** By the heading of the column of the import. */
  cells: Record<string, string>
}

/** What files of other systems call a column, by the words of its own heading. */
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

/** Words of headings: `EmployeeNumber`, `Employee_no.` and `employee number` are compared by them. */
function wordsOf(heading: string): string[] {
  return heading
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter(Boolean)
}

/** A heading without what stands between its words: `DfES no` is no three words. */
const closeUp = (heading: string): string => wordsOf(heading).join('')

const exactTotals = /^(?:grand |sub-?)?totals?:?$/i

/** A row that may be one of totals: its first words say so, and all else in it are figures. A supplier called Total has a code beside it. */
function isTotal(row: readonly string[]): boolean {
  const [first, ...others] = row.map((cell) => cell.trim()).filter(Boolean)
  return first !== undefined && /^(grand |sub-?)?totals?\b/i.test(first) && others.every((cell) => 'value' in readAmount(cell))
}

/**
 * Which column of an import each heading of a file fills: by its own name, by what was chosen before, by its label or another name of it.
 * Nothing is guessed from half a name.
 * @param labels of the fields, by name
 * @param learned what was chosen for headings of earlier files, by `learnedHeading`; null: left out
 */
export function columnsFor(
  headings: readonly string[],
  {
    columns,
    labels,
    learned = new Map(),
  }: { columns: readonly Column[]; labels: Record<string, string>; learned?: ReadonlyMap<string, string | null> },
): (string | null)[] {
  const { matched } = matchColumns(columns, headings, labels)
  // Where a heading stands twice, the first one is meant.
  const named = headings.map((heading, index) => (headings.indexOf(heading) === index ? (matched.get(heading)?.heading ?? null) : null))
  const taken = new Set(named.filter((one) => one !== null))
  const take = (heading: string | null | undefined): string | null => {
    if (!heading || taken.has(heading) || !columns.some((column) => column.heading === heading)) return null
    taken.add(heading)
    return heading
  }
  const known = headings.map((heading, index) => named[index] ?? take(learned.get(learnedHeading(heading))))
  return headings.map((heading, index) => {
    if (known[index] || learned.has(learnedHeading(heading))) return known[index] ?? null
    const words = closeUp(heading)
    const isCalled = ({ heading: own, field, called }: Column): boolean => {
      const names = [own, labels[field] ?? '', ...(called ?? otherNames[wordsOf(own).join(' ')] ?? [])]
      return names.some((name) => closeUp(name) === words)
    }
    return take(words ? columns.find((column) => !taken.has(column.heading) && isCalled(column))?.heading : null)
  })
}

/**
 * What is to be remembered of a file that was imported: what was chosen for its headings otherwise than by themselves, and what changes what
 * was remembered before.
 */
export function chosenByHand(
  headings: readonly string[],
  chosen: readonly (string | null)[],
  { columns, labels, learned }: { columns: readonly Column[]; labels: Record<string, string>; learned: ReadonlyMap<string, string | null> },
): { heading: string; column: string | null }[] {
  const bySelf = columnsFor(headings, { columns, labels })
  return headings.flatMap((words, index) => {
    const heading = learnedHeading(words)
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

/** How a heading says that its column holds both names of a person. `Name` alone says it of cells like `Okafor, Amira`. */
function orderOfNames(heading: string, below: readonly string[]): keyof typeof bothNames | null {
  const words = wordsOf(heading).join(' ')
  const said = keysOf(bothNames).find((order) => bothNames[order].test(words))
  if (said) return said
  const isOfPeople = below.length > 0 && below.every((cell) => /^[^,]+, [^,]+$/.test(cell.trim()))
  return wholeName.test(words) && isOfPeople ? 'surname first' : null
}

/** The surname and the forename of a cell that holds both: apart by a comma, else by the space beside the surname. */
function namesApart(cell: string, order: keyof typeof bothNames): [string, string] {
  const text = cell.trim()
  const comma = text.indexOf(',')
  if (comma >= 0) return [text.slice(0, comma).trim(), text.slice(comma + 1).trim()]
  const space = order === 'surname first' ? text.indexOf(' ') : text.lastIndexOf(' ')
  if (space < 0) return [text, '']
  const [before, after] = [text.slice(0, space).trim(), text.slice(space).trim()]
  return order === 'surname first' ? [before, after] : [after, before]
}

/**
 * The cells of a file of people with a column each for surname and forename, where one column of it holds both; otherwise as they are. Titles
 * and totals keep what they say.
 * @param columns of the import; one that knows no surname and forename reads nothing apart
 */
export function withNamesApart(cells: string[][], columns: readonly Column[]): string[][] {
  const wanted = ['Surname', 'Forename']
  if (!wanted.every((heading) => columns.some((column) => column.heading === heading))) return cells
  for (const [row, headings] of cells.slice(0, deepestHeading).entries()) {
    // A title above the table is one cell; headings are several.
    if (headings.filter((cell) => cell.trim()).length < 3) continue
    for (const [at, heading] of headings.entries()) {
      const below = cells.slice(row + 1).filter((line) => line.filter((cell) => cell.trim()).length > 2 && !isTotal(line))
      const order = orderOfNames(
        heading,
        below.flatMap((line) => (line[at]?.trim() ? [line[at]] : [])),
      )
      if (!order) continue
      return cells.map((line, index) => {
        if (at >= line.length) return line
        const cell = line[at] ?? ''
        const apart = index === row ? wanted : index > row && !isTotal(line) ? namesApart(cell, order) : [cell, '']
        return [...line.slice(0, at), ...apart, ...line.slice(at + 1)]
      })
    }
  }
  return cells
}

/** A heading as it is remembered. */
function learnedHeading(heading: string): string {
  return wordsOf(heading).join(' ').slice(0, 100)
}

/**
 * Finds the table of a file below its title rows: the row whose headings fill the most columns of the import, else the first that has more
 * than one cell.
 */
export function tableOf(
  cells: Cells,
  {
    columns,
    labels,
    learned,
  }: { columns: readonly Column[]; labels: Record<string, string>; learned?: ReadonlyMap<string, string | null> },
): FileTable {
  const best = bestHeadings(cells, (headings) => {
    const found = columnsFor(headings, { columns, labels, learned })
    const score = found.filter((one) => one !== null).length
    return score ? { score, columns: found } : null
  })
  if (best) return { headingRow: best.headingRow, columns: best.columns }
  const first = cells.findIndex((row) => row.filter((cell) => cell.trim()).length > 1)
  const row = Math.max(0, first)
  return { headingRow: row + 1, columns: (cells[row] ?? []).map(() => null) }
}

/**
 * The rows below the headings as the import takes them. Empty rows are nothing; a row of totals that adds up or counts those above it is left out
 * and named.
 * @returns `totals`: the numbers of the rows that are totals, from 1 as the spreadsheet counts
 */
export function rowsOf(cells: Cells, { headingRow, columns }: FileTable): { rows: FileRow[]; totals: number[] } {
  const rows: FileRow[] = []
  const totals: number[] = []
  const figures = columns.map((_column, at) => at)
  const adding = totalsOf(figures.length)
  const unread = new Set<number>()
  const lastFilled = cells.findLastIndex((row) => row.some((cell) => cell.trim()))
  for (const [index, row] of cells.slice(headingRow).entries()) {
    if (!row.some((cell) => cell.trim())) continue
    const number = headingRow + index + 1
    const values = figures.map((at) => (row[at] ?? '').trim())
    const read = values.map(readAmount)
    const pennies = read.map((one) => ('value' in one ? one.value : 0))
    // Where a cell above it cannot be read, nobody knows whether the row at the foot that is called Total adds up: it is one.
    const isFoot =
      number === lastFilled + 1 &&
      exactTotals.test(row.find((cell) => cell.trim())?.trim() ?? '') &&
      figures.every((at) => !values[at] || 'problem' in assertDefined(read[at]) || unread.has(at))
    if (isTotal(row) && (isFoot || isSumOrCount(values, { pennies, adding, count: rows.length }))) {
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

/** Whether the figures of a row add up the rows above it, or say how many these are. */
function isSumOrCount(
  values: readonly string[],
  { pennies, adding, count }: { pennies: readonly number[]; adding: ReturnType<typeof totalsOf>; count: number },
): boolean {
  const figures = values.map((value) => ('value' in readAmount(value) ? value : ''))
  const isCount = pennies.every((one, at) => !figures[at] || one === count * 100)
  // One row above may come to the same by chance.
  const isExact = values.some((value) => exactTotal.test(value))
  return isCount || adding.isTotal(pennies, figures, isExact ? 1 : 2)
}

/** The columns that an import cannot do without and a file does not fill, by their headings. */
export function missingColumns(columns: readonly Column[], chosen: readonly (string | null)[]): string[] {
  return columns.filter((column) => column.required && !chosen.includes(column.heading)).map((column) => column.heading)
}
