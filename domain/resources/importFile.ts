import { bestHeadings, type Cells } from '../files/headings.ts'
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
    'payroll no',
    'payroll number',
    'staff no',
    'staff number',
    'personnel number',
  ],
  forename: ['first name', 'given name', 'forenames'],
  surname: ['last name', 'family name'],
  'date of birth': ['dob', 'birth date'],
  'ni number': ['nino', 'national insurance number', 'national insurance no', 'ni no'],
  'continuous service date': ['continuous service', 'continuous service start', 'service start'],
  email: ['e mail', 'email address', 'work email'],
  'contract name': ['post', 'post title', 'job title', 'job', 'role'],
  'contract type name': ['contract type', 'staff group', 'staff category'],
  position: ['job title', 'post title'],
  'service term': ['service terms', 'terms', 'pay group'],
  'start date': ['contract start', 'start', 'date from', 'from'],
  'end date': ['contract end', 'end', 'date to', 'to', 'leaving date'],
  'effective date': ['effective from', 'salary from', 'pay from'],
  'scale point': ['spine point', 'pay point', 'scp', 'point on scale', 'grade point', 'point'],
  'hours per week': ['weekly hrs', 'weekly hours', 'hrs', 'hours', 'contracted hours'],
  'weeks per year': ['paid weeks', 'weeks paid', 'weeks', 'wks'],
  'er pension': ['pension', 'in pension', 'pension scheme member'],
  fte: ['full time equivalent', 'fte ratio'],
  code: ['ledger code', 'nominal code', 'nominal', 'account code', 'account'],
  description: ['name', 'title', 'details', 'narrative'],
  'budget code': ['ledger code', 'nominal code', 'nominal', 'account code', 'account'],
  'cost centre': ['cost center', 'centre'],
  'fund code': ['fund'],
  locations: ['school', 'schools', 'academy', 'location', 'site'],
  location: ['school', 'academy', 'site'],
  'year group': ['ncy', 'nc year', 'nc year actual', 'national curriculum year', 'year'],
  pupils: ['on roll', 'number on roll', 'nor', 'headcount', 'pupils on roll'],
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

/** A row of totals at the foot of a table: its first words say so. */
function isTotal(row: readonly string[]): boolean {
  const first = row.find((cell) => cell.trim())
  return first !== undefined && /^(grand |sub-?)?totals?\b/i.test(first.trim())
}

/**
 * Which column of an import each heading of a file fills: by its own name, by what was chosen before, by its label or another name of it.
 * Nothing is guessed from half a name.
 * @param labels of the fields, by name
 * @param learned what was chosen for headings of earlier files, by `learnedHeading`; null: left out
 */
export function columnsFor(
  headings: readonly string[],
  columns: readonly Column[],
  labels: Record<string, string>,
  learned: ReadonlyMap<string, string | null> = new Map(),
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
    const words = wordsOf(heading).join(' ')
    const isCalled = ({ heading: own, field }: Column): boolean => {
      const name = wordsOf(own).join(' ')
      return name === words || wordsOf(labels[field] ?? '').join(' ') === words || (otherNames[name] ?? []).includes(words)
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
  const bySelf = columnsFor(headings, columns, labels)
  return headings.flatMap((words, index) => {
    const heading = learnedHeading(words)
    const column = chosen[index] ?? null
    const expected = learned.has(heading) ? learned.get(heading) : (bySelf[index] ?? null)
    return heading && column !== expected ? [{ heading, column }] : []
  })
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
  columns: readonly Column[],
  labels: Record<string, string>,
  learned?: ReadonlyMap<string, string | null>,
): FileTable {
  const best = bestHeadings(cells, (headings) => {
    const found = columnsFor(headings, columns, labels, learned)
    const score = found.filter((one) => one !== null).length
    return score ? { score, columns: found } : null
  })
  if (best) return { headingRow: best.headingRow, columns: best.columns }
  const first = cells.findIndex((row) => row.filter((cell) => cell.trim()).length > 1)
  const row = Math.max(0, first)
  return { headingRow: row + 1, columns: (cells[row] ?? []).map(() => null) }
}

/**
 * The rows below the headings as the import takes them. Empty rows are nothing; a row of totals at the foot is left out and named.
 * @returns `totals`: the numbers of the rows that are totals, from 1 as the spreadsheet counts
 */
export function rowsOf(cells: Cells, { headingRow, columns }: FileTable): { rows: FileRow[]; totals: number[] } {
  const rows: FileRow[] = []
  const totals: number[] = []
  for (const [index, row] of cells.slice(headingRow).entries()) {
    if (!row.some((cell) => cell.trim())) continue
    const number = headingRow + index + 1
    if (isTotal(row)) totals.push(number)
    else rows.push({ number, cells: Object.fromEntries(columns.flatMap((column, at) => (column ? [[column, row[at] ?? '']] : []))) })
  }
  return { rows, totals }
}

/** The columns that an import cannot do without and a file does not fill, by their headings. */
export function missingColumns(columns: readonly Column[], chosen: readonly (string | null)[]): string[] {
  return columns.filter((column) => column.required && !chosen.includes(column.heading)).map((column) => column.heading)
}
