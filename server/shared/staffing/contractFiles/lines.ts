import {
  type StaffContractInput,
  type StoredContract,
  type StoredScalePoint,
  staffContractInput,
} from '../../../../domain/budget/budget.ts'
import { indexScalePointsByPath, mapScalePoints } from '../../../../domain/budget/contractForms.ts'
import { type PayScaleKind, payScaleFlags } from '../../../../domain/calculation/inputs.ts'
import { createWholeFileError } from '../../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../../domain/files/texts.ts'
import { listColumns, matchColumns, parseImportRow } from '../../../../domain/resources/columns.ts'
import { contractFile, employeeFields } from '../../../../domain/resources/contractFile.ts'
import { staffContract } from '../../../../domain/resources/entities/budget/staffContract.ts'
import type { Field } from '../../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../../domain/resources/resource.ts'
import { createEmptyValues } from '../../../../domain/resources/schema.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { displayNumber } from '../../../../domain/values/format.ts'
import { isKeyOf, keysOf } from '../../../../domain/values/keysOf.ts'
import { requireNumber, requireRecords, textOrNull } from '../../../../domain/values/unknownValues.ts'
import { maximumImportRows } from '../../../../domain/words/notices.ts'
import type { ImportNames } from '../../../resources/import/names.ts'
import type { OfferedPoint } from '../../../streams/budget/scalePoints.ts'
import type { ContractContext } from '../contracts/context.ts'
import { buildNumberKey } from './people.ts'

type Values = Record<string, unknown>
/** A line of a contract file. */
export interface ContractFileLine {
  /** Counted from 1, the first row under the heading. */
  row: number
  values: Values
  salary: Values
  holder: Values
  /** The texts of the cells, by column. */
  cells: Record<string, string>
}

/** The key shared by lines of the same contract. */
export const buildLineKey = (number: string | null, name: string): string => `${buildNumberKey(number ?? '')}\n${name.trim().toLowerCase()}`

/**
 * Reads the lines of a contract file.
 * @param errors receives one for each invalid cell
 * @throws DomainError for a file without rows, with too many rows, or without a required column
 */
export function parseContractLines(
  rows: readonly Record<string, string>[],
  { names, errors, file = contractFile }: { names: ImportNames; errors: CellProblem[]; file?: AnyResource },
): ContractFileLine[] {
  if (!rows.length) throw createWholeFileError('The file has no rows.')
  if (rows.length > maximumImportRows) throw createWholeFileError(`The file has more than ${displayNumber(maximumImportRows)} rows.`)
  const { matched, missing } = matchColumns(listColumns(file), [...new Set(rows.flatMap(Object.keys))], {})
  if (missing.length) throw createWholeFileError(`These columns are missing: ${missing.join(', ')}.`)
  return rows.map((typed, index) => {
    // A column that only other rows have does not change this row's contract.
    const own = new Map([...matched].filter(([heading]) => heading in typed))
    const { values, cells, problems } = parseImportRow(contractFile, { matched: own, row: typed, find: names.find })
    for (const problem of problems) errors.push({ row: index + 1, ...problem })
    const { salary, ...others } = values
    const isOfHolder = ([name]: [string, unknown]): boolean => name in employeeFields
    return {
      row: index + 1,
      values: Object.fromEntries(Object.entries(others).filter((entry) => !isOfHolder(entry))),
      salary: requireRecords(salary)[0] ?? {},
      holder: Object.fromEntries(Object.entries(others).filter(isOfHolder)),
      cells,
    }
  })
}

/** Groups lines by contract. The values of a contract's own fields must be the same in all of its lines, or empty after the first. */
export function groupLinesByContract(lines: readonly ContractFileLine[], errors: CellProblem[]): Map<string, ContractFileLine[]> {
  const groups = new Map<string, ContractFileLine[]>()
  for (const line of lines) {
    const key = buildLineKey(textOrNull(line.values.employeeNumber), String(line.values.contractName ?? ''))
    const group = groups.get(key)
    if (!group) groups.set(key, [line])
    else {
      for (const [name, value] of Object.entries(line.values)) {
        const first = assertDefined(group[0]).values[name]
        if (value !== null && JSON.stringify(value) !== JSON.stringify(first))
          errors.push(
            toCellProblem(
              name,
              `${isKeyOf(staffContract.fields, name) ? staffContract.fields[name].label : name} differs from row ${assertDefined(group[0]).row}, which is about the same contract.`,
              [line],
            ),
          )
      }
      group.push(line)
    }
  }
  return groups
}

/**
 * Combines the lines of one contract: the values of the file replace those of the existing contract, or the defaults of a new one.
 * @param isPayScaleReadable false if the pay scale cell cannot be read: then a point of any scale is accepted
 */
export function assembleContract(
  lines: readonly ContractFileLine[],
  {
    before,
    context,
    errors,
    isPayScaleReadable = true,
  }: { before?: StaffContractInput; context: ContractContext; errors: CellProblem[]; isPayScaleReadable?: boolean },
): Values {
  const { maximumScalePoint, ...values } = assertDefined(lines[0]).values
  const given: Values = { ...(before ?? createEmptyValues(staffContract.fields)), ...values }
  given.type ??= before?.type ?? typeFor(context, Number(given.contractTypeName), String(assertDefined(lines[0]).salary.scalePoint ?? ''))
  const kinds = isPayScaleReadable ? [findPointKind(requireNumber(given.type))] : keysOf(payScaleFlags)
  const pointOf = (text: unknown, field: string, line: ContractFileLine): number | null => {
    if (text === null || text === undefined || text === '') return null
    const found = kinds.map((kind) => findPoints(context.offered, kind, String(text))).find((points) => points.length) ?? []
    if (found.length === 1) return assertDefined(found[0]).id
    errors.push(toCellProblem(field, describeUnclearPoint(found), [line]))
    // Any point of that scale as a substitute, so that the other cells are checked too.
    return context.offered.find(({ kind }) => kinds.includes(kind))?.id ?? null
  }
  if (maximumScalePoint !== undefined) given.maximumScalePoint = pointOf(maximumScalePoint, 'maximumScalePoint', assertDefined(lines[0]))
  given.salary = lines.map((line, index) => {
    const { scalePoint, ...row } = line.salary
    const own = before?.salary.find((one) => one.effectiveDate === row.effectiveDate)
    return {
      ...(own ?? createEmptyValues(staffContract.fields.salary.of)),
      ...row,
      scalePoint: scalePoint === undefined ? (own?.scalePoint ?? null) : pointOf(scalePoint, `salary.${index}.scalePoint`, line),
    }
  })
  return given
}

/**
 * The pay scale type of a point if the file gives none: one that the contract type allows and that has the point, otherwise the first that
 * it allows.
 */
function typeFor(context: ContractContext, contractTypeId: number, point: string): number {
  const allowed = Object.values(payScaleFlags).filter((flag) => context.payScaleTypesOf(contractTypeId) & flag)
  return allowed.find((flag) => point && findPoints(context.offered, findPointKind(flag), point).length) ?? allowed[0] ?? 1
}

export function findPointKind(type: number): PayScaleKind {
  return keysOf(payScaleFlags).find((kind) => payScaleFlags[kind] === type) ?? 'teacher'
}

/** The name of a point without its scale, such as `M3`. */
const ownName = ({ name, scale }: OfferedPoint): string => name.slice(scale.length + 1)

/** The number in the name of a point, such as 3 of `M3`; null if it has none. */
function numberOfPoint(point: OfferedPoint): number | null {
  const digits = /\d+/.exec(ownName(point))
  return digits && Number(digits[0])
}

/**
 * Finds the points that a text may mean: by its name (`Main M3`), by scale and number (`Main 3`), or by the point's own name alone. The
 * number is that of the point's name: `NJC 5` is SCP5, although that may be the fourth increment of the scale. Increments count only in a
 * scale whose points have no numbers. If several tables have a point, the newest is used.
 * @returns several points if the text is unclear, because they have different names
 */
export function findPoints(offered: readonly OfferedPoint[], kind: PayScaleKind, text: string): OfferedPoint[] {
  const wanted = text.trim().toLowerCase()
  const ofKind = [...offered.filter((point) => point.kind === kind)].sort((a, b) => Number(b.newest) - Number(a.newest))
  const numbered = new Set(ofKind.flatMap((point) => (numberOfPoint(point) === null ? [] : [point.scale])))
  const numberIn = (point: OfferedPoint): number | null => (numbered.has(point.scale) ? numberOfPoint(point) : point.increment)
  const ways: ((point: OfferedPoint) => boolean)[] = [
    (point) => point.name.toLowerCase() === wanted,
    (point) => `${point.scale} ${numberIn(point)}`.toLowerCase() === wanted,
    (point) => ownName(point).toLowerCase() === wanted,
  ]
  const found = ways.map((isMeant) => ofKind.filter(isMeant)).find((points) => points.length) ?? []
  return [...new Map([...found].reverse().map((point) => [point.name, point])).values()].reverse()
}

/** Says why a text does not name a single point. */
export function describeUnclearPoint(found: readonly OfferedPoint[]): string {
  return found.length > 1
    ? `This may be ${found
        .slice(0, 5)
        .map(({ name }) => name)
        .join(' or ')}. Enter the one you mean.`
    : 'Scale point was not found.'
}

/**
 * Keeps stored points that are equivalent to those found in another year's table, so that they do not show as changes: the calculation uses
 * only kind, scale and increment.
 */
export function preferStoredPoints(
  input: StaffContractInput,
  before: StoredContract | undefined,
  offered: readonly OfferedPoint[],
): StaffContractInput {
  const keep = (id: number, old: StoredScalePoint | undefined): number => {
    const point = offered.find((one) => one.id === id)
    return point && old && point.kind === old.kind && point.scale === old.scale && point.increment === old.increment ? old.id : id
  }
  const old = before && indexScalePointsByPath(before)
  return mapScalePoints(input, (id, place) => keep(id, old?.get(place)))
}

export function validateContractInput(given: Values, lines: readonly ContractFileLine[], errors: CellProblem[]): StaffContractInput | null {
  const checked = staffContractInput.safeParse(given)
  if (checked.success) return checked.data
  for (const issue of checked.error.issues) {
    const [name] = issue.path
    const part = isKeyOf(staffContract.fields, name) ? staffContract.fields[name] : undefined
    const text = issue.message.endsWith('.') ? issue.message : `${part?.label ?? issue.path.join('.')} is not valid.`
    errors.push(toCellProblem(issue.path.join('.'), text, lines))
  }
  return null
}

/** No record has this id, so rules that depend on the record do not apply. */
const unknownId = 2_147_483_647

/** Values that are valid in a field of each kind and break no rule about other fields. */
const substitutes: Partial<Record<Field['kind'], unknown>> = {
  text: '-',
  longText: '-',
  date: '2000-01-01',
  integer: 1,
  decimal: 1,
  money: 0,
  percent: 0,
  flag: false,
  choice: 1,
  reference: unknownId,
  references: [unknownId],
  shares: [],
  point: null,
}

/**
 * Replaces the missing and invalid values of a contract, so that everything else that is wrong with it is found at the same time.
 * @returns null if some value has no substitute
 */
export function replaceInvalidValues(given: Values): StaffContractInput | null {
  const { error } = staffContractInput.safeParse(given)
  const salary = requireRecords(given.salary).map((row) => ({ ...row }))
  const replaced: Values = { ...given, salary }
  for (const { path } of error?.issues ?? []) {
    const [name, index, part] = path
    const row = name === 'salary' ? salary[Number(index)] : replaced
    const fields: Record<string, Field> = name === 'salary' ? staffContract.fields.salary.of : staffContract.fields
    const key = String(name === 'salary' ? part : name)
    const field = fields[key]
    if (!row || !field) return null
    row[key] = substitutes[field.kind]
  }
  return staffContractInput.safeParse(replaced).data ?? null
}

/** A problem with its row and column: the field `salary.1.fte` is in the second line of the contract. */
export function toCellProblem(field: string, message: string, lines: readonly ContractFileLine[]): CellProblem {
  const [name, index, part] = field.split('.')
  const line = lines[name === 'salary' ? Number(index ?? 0) : 0] ?? assertDefined(lines[0])
  const fields: Record<string, Field> = name === 'salary' ? staffContract.fields.salary.of : staffContract.fields
  const column = fields[(name === 'salary' ? part : name) ?? '']?.column ?? null
  return { row: line.row, column, value: (column && line.cells[column]) || null, message }
}
