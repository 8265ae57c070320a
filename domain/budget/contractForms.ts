import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { type Fields, type NamingField, namingFields } from '../resources/fields.ts'
import { sharesOf } from '../resources/shares.ts'
import { recordFromKeys } from '../values/keysOf.ts'
import { requireNumber, requireNumbers, requireRecords } from '../values/unknownValues.ts'

/*
 * A staff contract has two forms, and both follow from its declaration. As it is sent, it names its holder by employee number and points of pay
 * scales by their ids; as the log keeps it, it names nobody, and points stand in it as they were when it was saved.
 */

type Declared = typeof staffContract.fields

/** What holds fields of a declaration, with the points of pay scales among them, in rows as well, in another form. */
export type WithPoints<V, P, F extends Fields = Declared> = {
  [K in keyof V]: K extends keyof F
    ? F[K] extends { kind: 'point' }
      ? P | null
      : F[K] extends { kind: 'rows'; of: infer O extends Fields }
        ? V[K] extends readonly (infer R)[]
          ? WithPoints<R, P, O>[]
          : V[K]
        : V[K]
    : V[K]
}

type PointNames = { [K in keyof Declared]: Declared[K] extends { kind: 'point' } ? K : never }[keyof Declared]

/** The form in which a contract has its points. */
type PointIn<V> = NonNullable<V[PointNames & keyof V]>

/**
 * A contract with its points in another form.
 * @param turn is given each point there is and its place, which is the same in two versions of a contract: of rows by their date
 */
export function withPoints<V extends object, P>(contract: V, turn: (point: PointIn<V>, place: string) => P | null): WithPoints<V, P> {
  const turned = (fields: Fields, values: object, at: string): object => {
    const changed = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const value = Reflect.get(values, name)
      if (field.kind === 'point') return [[name, value === null || value === undefined ? null : turn(value, `${at}${name}`)]]
      if (field.kind !== 'rows') return []
      return [[name, requireRecords(value).map((row) => turned(field.of, row, `${name} ${row.effectiveDate} `))]]
    })
    return { ...values, ...Object.fromEntries(changed) }
  }
  // Each point under its own name, which the compiler forgets on the way.
  return turned(staffContract.fields, contract, '') as WithPoints<V, P>
}

/** The points that a contract names, by their places. */
export function pointsIn<V extends object>(contract: V): Map<string, PointIn<V>> {
  const points = new Map<string, PointIn<V>>()
  withPoints(contract, (point, place) => {
    points.set(place, point)
    return point
  })
  return points
}

/**
 * A contract as the log keeps it, of one as it is sent: all but who holds it and the sealed note, which are for the caller to add.
 * @param point what is kept of a point; null where it is not known
 */
export function keptForm<V extends { employeeNumber: unknown; notes: unknown; contractTypeName: number }, P>(
  sent: V,
  point: (id: PointIn<V>) => P | null,
) {
  const { employeeNumber: _number, notes: _notes, contractTypeName, ...named } = withPoints(sent, point)
  return { ...named, contractTypeId: sent.contractTypeName }
}

/** A contract as it is sent, of one as the log keeps it: all but the number of who holds it and the open note. */
export function sentForm<V extends { staffId: unknown; sealedNotes: unknown; contractTypeId: number }>(kept: V) {
  const { staffId: _staff, sealedNotes: _notes, contractTypeId: _type, ...named } = kept
  return { ...named, contractTypeName: kept.contractTypeId }
}

/** The resources that fields name, but for what is looked up otherwise. */
type NamedIn<F extends Fields> = {
  [K in keyof F]: F[K] extends { to: infer T extends string }
    ? Exclude<T, 'contractType' | 'payScalePoint'>
    : F[K] extends { kind: 'rows'; of: infer O extends Fields }
      ? NamedIn<O>
      : never
}[keyof F]

/** What contracts name beside their type and points: records that are there for some locations, or for all. */
export type NamedByContracts = NamedIn<Declared>

/** Whether a resource that a contract names is one of them: all are that are declared, but the two. */
const isNamedBy = (to: string): to is NamedByContracts => to !== 'contractType' && to !== 'payScalePoint'

const namedByContracts = [...new Set(namingFields(staffContract.fields).map(({ field }): string => field.to))].filter(isNamedBy)

/** Something for each resource that contracts name. */
export function byNamed<T>(of: (resource: NamedByContracts) => T): Record<NamedByContracts, T> {
  return recordFromKeys(namedByContracts, of)
}

/** The ids of the records that a value of a field names. */
export function namedIds({ kind }: NamingField, value: unknown): number[] {
  if (value === null || value === undefined) return []
  if (kind === 'shares') return sharesOf(value).map((share) => share.fundCodeId)
  return kind === 'references' ? requireNumbers(value) : [requireNumber(value)]
}
