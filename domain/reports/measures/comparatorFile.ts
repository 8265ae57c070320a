import Big from 'big.js'
import { readDecimal } from '../../files/cells.ts'
import type { Cells } from '../../files/headings.ts'
import type { ImportTemplate, TemplateColumn } from '../../resources/template.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { entriesOf, isOneOf, keysOf, recordFromKeys } from '../../values/keysOf.ts'
import { type Comparator, type ComparedMeasure, comparedMeasures, formerMeasureLabels } from './comparators.ts'

export const maximumComparators = 2000

type Role = 'urn' | 'name' | 'months' | 'pupils' | 'measure' | 'value' | 'year'

/** What a column contains: a fact about the school such as its name, an amount of the whole school, or a measure. */
type Meaning = { role: Role } | { amount: Amount } | { measure: ComparedMeasure }

/** The headings of amounts of a whole school, in pounds. Measures per pupil and shares of expenditure are calculated from these amounts. */
const amounts = {
  expenditure: ['totalexpenditure'],
  income: ['totalincome'],
  teachers: ['teachingstaffcosts', 'teachingstaff'],
  supply: ['supplyteachingstaffcosts', 'supplyteachingstaff'],
  agency: ['agencysupplyteachingstaffcosts', 'agencysupplyteachingstaff'],
  teaching: ['totalteachingsupportstaffcosts', 'totalteachingandteachingsupportstaff', 'teachingandteachingsupportstaff'],
  nonEducationalSupport: ['totalnoneducationalsupportstaffcosts', 'noneducationalsupportstaffandservices', 'noneducationalsupportstaff'],
  educationalSupplies: ['totaleducationalsuppliescosts', 'educationalsupplies'],
  educationalIct: ['learningresourcesictcosts', 'educationalict'],
  premises: ['totalpremisesstaffservicecosts', 'premisesstaffandservices'],
  utilities: ['totalutilitiescosts', 'utilities'],
  administrativeSupplies: ['administrativesuppliesnoneducationalcosts', 'administrativesupplies'],
  catering: ['totalgrosscateringcosts', 'cateringstaffandsupplies'],
  otherCosts: ['totalothercosts', 'othercosts'],
} as const satisfies Record<string, readonly string[]>
type Amount = keyof typeof amounts

const roles: Record<Role, readonly string[]> = {
  urn: ['urn', 'schoolurn', 'uniquereferencenumber'],
  name: ['schoolname', 'school', 'name', 'establishmentname', 'establishment'],
  months: ['periodcoveredbyreturn'],
  pupils: ['totalpupils', 'numberofpupils', 'pupils', 'pupilnumbers'],
  measure: ['measure', 'category', 'costcategory', 'indicator', 'metric'],
  value: ['value', 'amount', 'figure'],
  year: ['year', 'financialyear', 'academicyear', 'period'],
}

/** Normalises a heading, so that `TotalPupils` and `Total pupils (£)` are equal. */
const normaliseHeading = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9%]/g, '')

function parseUnit(heading: string): { subject: string; per: 'pupil' | 'income' | 'expenditure' | null } {
  const plain = normaliseHeading(heading)
  const found = (
    [
      ['pupil', /(£|pounds)?(per|foreach)pupil(£|pounds)?/],
      ['income', /(%|percent|percentage|share)(of)?(total)?income/],
      ['expenditure', /(%|percent|percentage|share)(of)?(total)?(expenditure|spending|spend)/],
    ] as const
  ).find(([, form]) => form.test(plain))
  return found ? { subject: plain.replace(found[1], ''), per: found[0] } : { subject: plain, per: null }
}

const amountNames = entriesOf(amounts)
const measures = keysOf(comparedMeasures)
const measuresOfShares: Partial<Record<string, ComparedMeasure>> = {
  'staff income': 'staffOfIncome',
  'staffcosts income': 'staffOfIncome',
  'totalstaffcosts income': 'staffOfIncome',
  'staff expenditure': 'staffOfExpenditure',
  'staffcosts expenditure': 'staffOfExpenditure',
  'totalstaffcosts expenditure': 'staffOfExpenditure',
  'inyearbalance income': 'inYearOfIncome',
  'reserve income': 'reserveOfIncome',
  'revenuereserve income': 'reserveOfIncome',
}
const measuresByName: Record<string, ComparedMeasure> = {
  pupilteacherratio: 'pupilsPerTeacher',
  pupilsperteacher: 'pupilsPerTeacher',
  pupilsperadult: 'pupilsPerAdult',
  averageteachercost: 'teacherCost',
  averageclasssize: 'classSize',
  contactratio: 'contactRatio',
  costperlesson: 'lessonCost',
}

/** Whether a measure is an amount per pupil. Its name in a file is the same as that of the amount of the whole school. */
const isPerPupil = (measure: ComparedMeasure): boolean =>
  comparedMeasures[measure].type === 'money' && !comparedMeasures[measure].label.endsWith('£')

/** Finds what a column heading or the name of a measure means; null if it is not compared. */
function findHeadingMeaning(heading: string): Meaning | null {
  const plain = normaliseHeading(heading)
  if (!plain) return null
  const role = entriesOf(roles).find(([, names]) => isOneOf(names, plain))
  if (role) return { role: role[0] }
  const own =
    measuresByName[plain] ??
    measures.find((measure) => !isPerPupil(measure) && normaliseHeading(comparedMeasures[measure].label) === plain) ??
    entriesOf(formerMeasureLabels).find(([label, measure]) => !isPerPupil(measure) && normaliseHeading(label) === plain)?.[1]
  if (own) return { measure: own }
  const { subject, per } = parseUnit(heading)
  const amount = amountNames.find(([, names]) => isOneOf(names, subject))?.[0]
  if (per === null) return amount ? { amount } : null
  if (per === 'pupil') {
    if (subject === 'income') return { measure: 'income' }
    return amount && isMeasure(amount) ? { measure: amount } : null
  }
  if (per === 'expenditure' && amount === 'teachers') return { measure: 'teachersOfExpenditure' }
  const share = measuresOfShares[`${subject} ${per}`]
  return share ? { measure: share } : null
}

const isMeasure = (name: string): name is ComparedMeasure => Object.hasOwn(comparedMeasures, name)

/** A column of the file, and what it is used for; `use` is null if the column is ignored. */
export interface RecognisedColumn {
  heading: string
  use: string | null
}

export interface UnusedRow {
  row: number
  text: string
  why: string
}

export interface ComparatorFileContents {
  columns: RecognisedColumn[]
  schools: Comparator[]
  unused: UnusedRow[]
  year: string | null
}

const roleWords: Record<Role, string> = {
  urn: 'The school’s URN',
  name: 'The school’s name',
  months: 'Months covered by the return',
  pupils: 'Pupils',
  measure: 'Measure',
  value: 'Value of the measure',
  year: 'Year',
}

function describeMeaning(meaning: Meaning | null): string | null {
  if (!meaning) return null
  if ('role' in meaning) return roleWords[meaning.role]
  if ('measure' in meaning) return comparedMeasures[meaning.measure].label
  if (meaning.amount === 'income') return 'Income, £'
  if (meaning.amount === 'expenditure') return 'Expenditure, £'
  if (meaning.amount === 'teachers') return 'Teachers, £'
  return isMeasure(meaning.amount) ? `${comparedMeasures[meaning.amount].label}, £` : 'Supply teachers, £'
}

/** Reads a figure written by a person or a program; null if the text is not a figure. */
function readFigure(cell: string | undefined): Big | null {
  const read = readDecimal((cell ?? '').replace(/\s*%\s*$/, ''))
  return read && read.whole.length <= 15 ? new Big(`${read.isNegative ? '-' : ''}${read.whole}.${read.decimals.slice(0, 20)}0`) : null
}

const whole = (value: Big): number => value.round(0, Big.roundHalfUp).toNumber()

/** Counts the comparator headings of each row and returns the highest count. */
export function countComparatorHeadings(cells: Cells): number {
  return Math.max(0, ...cells.slice(0, 60).map((row) => countHeadings(row)))
}

function countHeadings(row: readonly string[]): number {
  const meanings = row.map(findHeadingMeaning)
  const has = (role: Role): boolean => meanings.some((one) => one && 'role' in one && one.role === role)
  const figures = meanings.filter((one) => one && !('role' in one)).length
  if (!has('urn') && !has('name')) return 0
  return figures || (has('measure') && has('value')) ? meanings.filter(Boolean).length : 0
}

/** The message for a file that is not a comparator file. */
export const noComparatorsSentence =
  'This file has no column of schools followed by figures. Download a school’s comparison from the benchmarking service as CSV and choose that file.'

export const comparatorTemplate: ImportTemplate = {
  name: 'Comparators',
  columns: [
    ...['URN', 'School name'].map((heading) => templateColumn(heading, 'text')),
    ...measures.map((measure) => {
      const { label } = comparedMeasures[measure]
      return templateColumn(isPerPupil(measure) ? `${label} per pupil` : label, 'number')
    }),
  ],
}

function templateColumn(heading: string, kind: 'text' | 'number'): TemplateColumn {
  return { heading, name: heading, isRequired: heading === 'School name', kind, choices: [], isSeveral: false }
}

/** Finds the row in which the most headings are recognised. */
function findHeadingRow(cells: Cells): number {
  const found = cells.slice(0, 60).map(countHeadings)
  const most = Math.max(0, ...found)
  return most ? found.indexOf(most) : -1
}

interface SchoolDraft {
  row: number
  key: string
  name: string
  months: Big | null
  pupils: Big | null
  amounts: Partial<Record<Amount, Big>>
  figures: Comparator['figures']
}

/**
 * Reads a comparator file: a row for each school with a column for each measure, or a row for each measure of a school. Amounts of a whole
 * school are converted to figures per pupil and shares of expenditure. Rows that cannot be used are listed.
 * @returns null if it is not a comparator file
 */
export function readComparatorFile(cells: Cells): ComparatorFileContents | null {
  const at = findHeadingRow(cells)
  const headings = cells[at]
  if (!headings) return null
  const meanings = headings.map(findHeadingMeaning)
  const columnOf = (role: Role): number => meanings.findIndex((one) => one && 'role' in one && one.role === role)
  const { urn, name, measure, value, year } = recordFromKeys(['urn', 'name', 'measure', 'value', 'year'], columnOf)
  const isLong = measure >= 0 && value >= 0
  const schools = new Map<string, SchoolDraft>()
  const unused: ComparatorFileContents['unused'] = []
  const taken = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    if (index <= at || cell.every((one) => !one.trim())) continue
    const read = (column: number): string => (column < 0 ? '' : (cell[column] ?? '').trim())
    const schoolName = read(name) || read(urn)
    const reject = (why: string): void =>
      void unused.push({ row: index + 1, text: schoolName || cell.filter(Boolean).join(' ').slice(0, 80), why })
    const key = read(urn) || schoolName
    if (!key) {
      reject('This row has no school name.')
      continue
    }
    const before = schools.get(key)
    if (before && !isLong) {
      reject('The school is already listed above.')
      continue
    }
    const school = before ?? { row: index + 1, key, name: schoolName, months: null, pupils: null, amounts: {}, figures: {} }
    schools.set(key, school)
    if (isLong) {
      const meaning = findHeadingMeaning(read(measure))
      const figure = readFigure(read(value))
      if (!meaning || ('role' in meaning && meaning.role !== 'pupils')) reject(`“${read(measure)}” is not a measure that Bursar compares.`)
      else if (!figure) reject('This row has no value.')
      else if (taken.has(`${key} ${describeMeaning(meaning)}`)) reject('This measure of the school is already listed above.')
      else {
        taken.add(`${key} ${describeMeaning(meaning)}`)
        storeFigure(school, meaning, figure)
      }
    }
    for (const [column, meaning] of meanings.entries()) {
      const figure = meaning ? readFigure(cell[column]) : null
      if (meaning && figure && column !== value) storeFigure(school, meaning, figure)
    }
  }
  const made = [...schools.values()].flatMap((school): Comparator[] => {
    const why = findSchoolProblem(school)
    if (why) unused.push({ row: school.row, text: school.name, why })
    return why ? [] : [{ key: school.key, name: school.name, figures: deriveFigures(school) }]
  })
  const years = new Set(cells.slice(at + 1).flatMap((row) => row[year]?.trim() || []))
  return {
    columns: headings.flatMap((heading, column) =>
      heading.trim() ? [{ heading: heading.trim(), use: describeMeaning(meanings[column] ?? null) }] : [],
    ),
    schools: made,
    unused: unused.sort((a, b) => a.row - b.row),
    year: years.size === 1 ? assertDefined([...years][0]) : null,
  }
}

function storeFigure(school: SchoolDraft, meaning: Meaning, figure: Big): void {
  if ('amount' in meaning) school.amounts[meaning.amount] = figure
  else if ('measure' in meaning) school.figures[meaning.measure] = toStoredUnit(meaning.measure, figure)
  else if (meaning.role === 'months') school.months = figure
  else if (meaning.role === 'pupils') school.pupils = figure
}

function toStoredUnit(measure: ComparedMeasure, figure: Big): number {
  return whole(figure.times(comparedMeasures[measure].type === 'percent' ? 10 : 100))
}

function findSchoolProblem(school: SchoolDraft): string | null {
  if (school.months && !school.months.eq(12)) return `Its return covers ${school.months.toString()} months, not a year.`
  return Object.keys(deriveFigures(school)).length ? null : 'It has no value for any measure that Bursar compares.'
}

/** The measures of a school: those in the file, and those calculated from its amounts. */
function deriveFigures({ pupils, amounts: own, figures }: SchoolDraft): Comparator['figures'] {
  const made: Comparator['figures'] = {}
  if (pupils?.gt(0))
    for (const [amount, figure] of Object.entries(own)) if (isMeasure(amount)) made[amount] = whole(figure.times(100).div(pupils))
  const { expenditure, teachers, supply, agency } = own
  const shareOf = (part: Big): number => whole(part.times(1000).div(assertDefined(expenditure)))
  if (expenditure?.gt(0)) {
    if (teachers) made.teachersOfExpenditure = shareOf(teachers)
    if (supply || agency) made.supplyOfExpenditure = shareOf((supply ?? new Big(0)).plus(agency ?? 0))
  }
  return { ...made, ...figures }
}
