import Big from 'big.js'
import { readDecimal } from '../../files/cells.ts'
import type { Cells } from '../../files/headings.ts'
import type { Template, TemplateColumn } from '../../resources/template.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { entriesOf, isOneOf, keysOf, recordFromKeys } from '../../values/keysOf.ts'
import { type Comparator, type ComparedMeasure, comparedMeasures } from './comparators.ts'

/** What a file of comparators may have at most. */
export const mostComparators = 2000

/** What a heading says of the column under it. */
type Role = 'urn' | 'name' | 'months' | 'pupils' | 'measure' | 'value' | 'year'

/** What stands in a column: what a school is called, an amount of a whole school, or a measure as it is. */
type Meaning = { role: Role } | { amount: Amount } | { measure: ComparedMeasure }

/** Amounts of a whole school, in pounds, of which measures are made with its pupils or its expenditure. */
const amounts = {
  expenditure: ['totalexpenditure'],
  income: ['totalincome'],
  teachers: ['teachingstaffcosts', 'teachingstaff'],
  supply: ['supplyteachingstaffcosts', 'supplyteachingstaff'],
  agency: ['agencysupplyteachingstaffcosts', 'agencysupplyteachingstaff'],
  'Teaching and teaching support staff': [
    'totalteachingsupportstaffcosts',
    'totalteachingandteachingsupportstaff',
    'teachingandteachingsupportstaff',
  ],
  'Non-educational support staff and services': [
    'totalnoneducationalsupportstaffcosts',
    'noneducationalsupportstaffandservices',
    'noneducationalsupportstaff',
  ],
  'Educational supplies': ['totaleducationalsuppliescosts', 'educationalsupplies'],
  'Educational ICT': ['learningresourcesictcosts', 'educationalict'],
  'Premises staff and services': ['totalpremisesstaffservicecosts', 'premisesstaffandservices'],
  Utilities: ['totalutilitiescosts', 'utilities'],
  'Administrative supplies': ['administrativesuppliesnoneducationalcosts', 'administrativesupplies'],
  'Catering staff and supplies': ['totalgrosscateringcosts', 'cateringstaffandsupplies'],
  'Other costs': ['totalothercosts', 'othercosts'],
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

/** A heading as it is compared: `TotalPupils` and `Total pupils (£)` are the same. */
const squashed = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9%]/g, '')

/** What a heading is of, without the words that say its unit. */
function unitOf(heading: string): { subject: string; per: 'pupil' | 'income' | 'expenditure' | null } {
  const plain = squashed(heading)
  const found = (
    [
      ['pupil', /(£|pounds)?(per|foreach)pupil(£|pounds)?/],
      ['income', /(%|percent|percentage|share)(of)?(total)?income/],
      ['expenditure', /(%|percent|percentage|share)(of)?(total)?(expenditure|spending|spend)/],
    ] as const
  ).find(([, form]) => form.test(plain))
  return found ? { subject: plain.replace(found[1], ''), per: found[0] } : { subject: plain, per: null }
}

const namesOf = entriesOf(amounts)
const measureLabels = keysOf(comparedMeasures)
const measuresOfShares: Partial<Record<string, ComparedMeasure>> = {
  'staff income': 'Staff, % of income',
  'staffcosts income': 'Staff, % of income',
  'totalstaffcosts income': 'Staff, % of income',
  'staff expenditure': 'Staff, % of expenditure',
  'staffcosts expenditure': 'Staff, % of expenditure',
  'totalstaffcosts expenditure': 'Staff, % of expenditure',
  'inyearbalance income': 'In-year balance, % of income',
  'reserve income': 'Reserve at the end of the year, % of income',
  'revenuereserve income': 'Reserve at the end of the year, % of income',
}
const measuresByName: Record<string, ComparedMeasure> = {
  pupilteacherratio: 'Pupils for each teacher (FTE)',
  pupilsperteacher: 'Pupils for each teacher (FTE)',
  pupilsperadult: 'Pupils for each adult (FTE)',
  averageteachercost: 'Cost of a teacher (FTE 1), £',
  averageclasssize: 'Average class size',
  contactratio: 'Contact ratio',
  costperlesson: 'Cost of a lesson, £',
}

/** Whether a measure is an amount for each pupil, whose name is that of the amount of the whole school. */
const isPerPupil = (label: ComparedMeasure): boolean => comparedMeasures[label] === 'money' && !label.endsWith('£')

/** What a column or a measure is by its name; null: nothing that is compared. */
function meaningOf(heading: string): Meaning | null {
  const plain = squashed(heading)
  if (!plain) return null
  const role = entriesOf(roles).find(([, names]) => isOneOf(names, plain))
  if (role) return { role: role[0] }
  const own = measuresByName[plain] ?? measureLabels.find((label) => !isPerPupil(label) && squashed(label) === plain)
  if (own) return { measure: own }
  const { subject, per } = unitOf(heading)
  const amount = namesOf.find(([, names]) => isOneOf(names, subject))?.[0]
  if (per === null) return amount ? { amount } : null
  if (per === 'pupil') {
    if (subject === 'income' || amount === 'income') return { measure: 'Income' }
    return amount && isMeasure(amount) ? { measure: amount } : null
  }
  if (per === 'expenditure' && amount === 'teachers') return { measure: 'Teachers, % of expenditure' }
  const share = measuresOfShares[`${subject} ${per}`]
  return share ? { measure: share } : null
}

const isMeasure = (name: string): name is ComparedMeasure => Object.hasOwn(comparedMeasures, name)

/** A column of a file, and what it was taken for; null: nothing, it is left aside. */
export interface ReadColumn {
  heading: string
  use: string | null
}

/** A row of a file that came to nothing. */
export interface UnusedRow {
  row: number
  text: string
  why: string
}

/** What a file of comparators says. */
export interface ReadComparators {
  columns: ReadColumn[]
  schools: Comparator[]
  /** Rows that came to nothing, with why. */
  unused: UnusedRow[]
  year: string | null
}

const roleWords: Record<Role, string> = {
  urn: 'Which school, by its URN',
  name: 'Which school, by its name',
  months: 'Months that the return covers',
  pupils: 'Pupils',
  measure: 'Which measure',
  value: 'Figure of the measure',
  year: 'Year',
}

function takenFor(meaning: Meaning | null): string | null {
  if (!meaning) return null
  if ('role' in meaning) return roleWords[meaning.role]
  if ('measure' in meaning) return meaning.measure
  if (meaning.amount === 'income') return 'Income, £'
  if (meaning.amount === 'expenditure') return 'Expenditure, £'
  if (meaning.amount === 'teachers') return 'Teachers, £'
  return isMeasure(meaning.amount) ? `${meaning.amount}, £` : 'Supply teachers, £'
}

/** A figure as people and programs write it; null: none. */
function decimal(cell: string | undefined): Big | null {
  const read = readDecimal((cell ?? '').replace(/\s*%\s*$/, ''))
  return read && read.whole.length <= 15 ? new Big(`${read.isNegative ? '-' : ''}${read.whole}.${read.decimals.slice(0, 20)}0`) : null
}

const whole = (value: Big): number => value.round(0, Big.roundHalfUp).toNumber()

/** How many of the headings of a row say something of a file of comparators. */
export function comparatorColumns(cells: Cells): number {
  return Math.max(0, ...cells.slice(0, 60).map((row) => headingsFound(row)))
}

function headingsFound(row: readonly string[]): number {
  const meanings = row.map(meaningOf)
  const has = (role: Role): boolean => meanings.some((one) => one && 'role' in one && one.role === role)
  const figures = meanings.filter((one) => one && !('role' in one)).length
  if (!has('urn') && !has('name')) return 0
  return figures || (has('measure') && has('value')) ? meanings.filter(Boolean).length : 0
}

/** Why a file is none of comparators; one sentence. */
export const noComparators =
  'This file has no column of schools with figures beside it. Download the comparison of a school from the benchmarking service as CSV and choose that.'

/** What a file may be made from by hand: the measures as they are. */
export const comparatorTemplate: Template = {
  name: 'Comparators',
  columns: [
    ...['URN', 'School name'].map((heading) => columnOfTemplate(heading, 'text')),
    ...measureLabels.map((label) => columnOfTemplate(isPerPupil(label) ? `${label} per pupil` : label, 'number')),
  ],
}

function columnOfTemplate(heading: string, kind: 'text' | 'number'): TemplateColumn {
  return { heading, name: heading, isRequired: heading === 'School name', kind, choices: [], isSeveral: false }
}

/** The row that reads most like the headings of the table. */
function headingRow(cells: Cells): number {
  const found = cells.slice(0, 60).map(headingsFound)
  const most = Math.max(0, ...found)
  return most ? found.indexOf(most) : -1
}

interface School {
  row: number
  key: string
  name: string
  months: Big | null
  pupils: Big | null
  amounts: Partial<Record<Amount, Big>>
  figures: Comparator['figures']
}

/**
 * Reads a file of comparators: a row for each school with a column for each measure, or a row for each measure of a school. Amounts of a
 * whole school become figures per pupil and shares of its expenditure. What comes to nothing is listed, never dropped; null: it is no such
 * file.
 */
export function readComparators(cells: Cells): ReadComparators | null {
  const at = headingRow(cells)
  const headings = cells[at]
  if (!headings) return null
  const meanings = headings.map(meaningOf)
  const columnOf = (role: Role): number => meanings.findIndex((one) => one && 'role' in one && one.role === role)
  const { urn, name, measure, value, year } = recordFromKeys(['urn', 'name', 'measure', 'value', 'year'], columnOf)
  const isLong = measure >= 0 && value >= 0
  const schools = new Map<string, School>()
  const unused: ReadComparators['unused'] = []
  const taken = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    if (index <= at || cell.every((one) => !one.trim())) continue
    const read = (column: number): string => (column < 0 ? '' : (cell[column] ?? '').trim())
    const called = read(name) || read(urn)
    const leave = (why: string): void =>
      void unused.push({ row: index + 1, text: called || cell.filter(Boolean).join(' ').slice(0, 80), why })
    const key = read(urn) || called
    if (!key) {
      leave('It names no school.')
      continue
    }
    const before = schools.get(key)
    if (before && !isLong) {
      leave('The school stands above already.')
      continue
    }
    const school = before ?? { row: index + 1, key, name: called, months: null, pupils: null, amounts: {}, figures: {} }
    schools.set(key, school)
    if (isLong) {
      const meaning = meaningOf(read(measure))
      const figure = decimal(read(value))
      if (!meaning || ('role' in meaning && meaning.role !== 'pupils')) leave(`“${read(measure)}” is no measure that is compared.`)
      else if (!figure) leave('It has no figure.')
      else if (taken.has(`${key} ${takenFor(meaning)}`)) leave('The measure of the school stands above already.')
      else {
        taken.add(`${key} ${takenFor(meaning)}`)
        put(school, meaning, figure)
      }
    }
    for (const [column, meaning] of meanings.entries()) {
      const figure = meaning ? decimal(cell[column]) : null
      if (meaning && figure && column !== value) put(school, meaning, figure)
    }
  }
  const made = [...schools.values()].flatMap((school): Comparator[] => {
    const why = problemOf(school)
    if (why) unused.push({ row: school.row, text: school.name, why })
    return why ? [] : [{ key: school.key, name: school.name, figures: figuresOf(school) }]
  })
  const years = new Set(cells.slice(at + 1).flatMap((row) => row[year]?.trim() || []))
  return {
    columns: headings.flatMap((heading, column) =>
      heading.trim() ? [{ heading: heading.trim(), use: takenFor(meanings[column] ?? null) }] : [],
    ),
    schools: made,
    unused: unused.sort((a, b) => a.row - b.row),
    year: years.size === 1 ? assertDefined([...years][0]) : null,
  }
}

function put(school: School, meaning: Meaning, figure: Big): void {
  if ('amount' in meaning) school.amounts[meaning.amount] = figure
  else if ('measure' in meaning) school.figures[meaning.measure] = inParts(meaning.measure, figure)
  else if (meaning.role === 'months') school.months = figure
  else if (meaning.role === 'pupils') school.pupils = figure
}

function inParts(measure: ComparedMeasure, figure: Big): number {
  return whole(figure.times(comparedMeasures[measure] === 'percent' ? 10 : 100))
}

/** Why a school is no comparator; null: it is one. */
function problemOf(school: School): string | null {
  if (school.months && !school.months.eq(12)) return `Its return covers ${school.months.toString()} months, not a year.`
  return Object.keys(figuresOf(school)).length ? null : 'It has no figure of a measure that is compared.'
}

/** The measures of a school: those that were said, and those made of its amounts. */
function figuresOf({ pupils, amounts: own, figures }: School): Comparator['figures'] {
  const made: Comparator['figures'] = {}
  if (pupils?.gt(0))
    for (const [amount, figure] of Object.entries(own)) {
      const measure = amount === 'income' ? 'Income' : amount
      if (isMeasure(measure)) made[measure] = whole(figure.times(100).div(pupils))
    }
  const { expenditure, teachers, supply, agency } = own
  const shareOf = (part: Big): number => whole(part.times(1000).div(assertDefined(expenditure)))
  if (expenditure?.gt(0)) {
    if (teachers) made['Teachers, % of expenditure'] = shareOf(teachers)
    if (supply || agency) made['Supply teachers, % of expenditure'] = shareOf((supply ?? new Big(0)).plus(agency ?? 0))
  }
  return { ...made, ...figures }
}
