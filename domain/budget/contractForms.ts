import { staffContract } from '../resources/entities/budget/staffContract.ts'
import { type Fields, listReferringFields, type ReferringField } from '../resources/fields.ts'
import { requireShares } from '../resources/shares.ts'
import { recordFromKeys } from '../values/keysOf.ts'
import { requireNumber, requireNumbers, requireRecords } from '../values/unknownValues.ts'

/*
 * A staff contract has two forms, both derived from its declaration. The input form names the holder by employee number and scale points by
 * id. The stored form contains no name, and its scale points are copies from the time of saving.
 */

type DeclaredFields = typeof staffContract.fields

/** A value with its scale points converted to another type, including those in its rows. */
export type WithScalePoints<V, P, F extends Fields = DeclaredFields> = {
  [K in keyof V]: K extends keyof F
    ? F[K] extends { kind: 'point' }
      ? P | null
      : F[K] extends { kind: 'rows'; of: infer O extends Fields }
        ? V[K] extends readonly (infer R)[]
          ? WithScalePoints<R, P, O>[]
          : V[K]
        : V[K]
    : V[K]
}

type PointNames = { [K in keyof DeclaredFields]: DeclaredFields[K] extends { kind: 'point' } ? K : never }[keyof DeclaredFields]

type PointIn<V> = NonNullable<V[PointNames & keyof V]>

type FieldWithPoints = { name: string; field: Extract<Fields[string], { kind: 'point' | 'rows' }> }

/** Cached, because a list converts every one of its contracts and most fields hold no scale point. */
const fieldsWithPoints = new WeakMap<Fields, FieldWithPoints[]>()

function listFieldsWithPoints(fields: Fields): FieldWithPoints[] {
  const known = fieldsWithPoints.get(fields)
  if (known) return known
  const found = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'point' || field.kind === 'rows' ? [{ name, field }] : [],
  )
  fieldsWithPoints.set(fields, found)
  return found
}

/**
 * Converts every scale point of a contract.
 * @param mapPoint receives each point and its path. Paths in rows contain the row's date, so the same point has the same path in two
 * versions of a contract.
 */
export function mapScalePoints<V extends object, P>(
  contract: V,
  mapPoint: (point: PointIn<V>, path: string) => P | null,
): WithScalePoints<V, P> {
  const mapFields = (fields: Fields, values: object, at: string): object => {
    const changed: Record<string, unknown> = { ...values }
    for (const { name, field } of listFieldsWithPoints(fields)) {
      const value = Reflect.get(values, name)
      if (field.kind === 'rows')
        changed[name] = requireRecords(value).map((row) => mapFields(field.of, row, `${name} ${row.effectiveDate} `))
      else changed[name] = value === null || value === undefined ? null : mapPoint(value, `${at}${name}`)
    }
    return changed
  }
  // The compiler cannot see that `mapFields` keeps the name of every field.
  return mapFields(staffContract.fields, contract, '') as WithScalePoints<V, P>
}

export function indexScalePointsByPath<V extends object>(contract: V): Map<string, PointIn<V>> {
  const points = new Map<string, PointIn<V>>()
  mapScalePoints(contract, (point, path) => {
    points.set(path, point)
    return point
  })
  return points
}

/**
 * Converts a contract from its input form to its stored form. The caller adds the staff id and the sealed notes.
 * @param point returns the stored form of a scale point, or null if the point is unknown
 */
export function toStoredForm<V extends { employeeNumber: unknown; notes: unknown; contractTypeName: number }, P>(
  sent: V,
  point: (id: PointIn<V>) => P | null,
) {
  const { employeeNumber: _number, notes: _notes, contractTypeName, ...named } = mapScalePoints(sent, point)
  return { ...named, contractTypeId: sent.contractTypeName }
}

/** Converts a contract from its stored form to its input form. The caller adds the employee number and the decrypted notes. */
export function toInputForm<V extends { staffId: unknown; sealedNotes: unknown; contractTypeId: number }>(stored: V) {
  const { staffId: _staff, sealedNotes: _notes, contractTypeId: _type, ...named } = stored
  return { ...named, contractTypeName: stored.contractTypeId }
}

/**
 * Resources that the fields refer to. Contract types and scale points are excluded, because `ContractFacts` holds them in fields of their
 * own.
 */
type ReferencesIn<F extends Fields> = {
  [K in keyof F]: F[K] extends { to: infer T extends string }
    ? Exclude<T, 'contractType' | 'payScalePoint'>
    : F[K] extends { kind: 'rows'; of: infer O extends Fields }
      ? ReferencesIn<O>
      : never
}[keyof F]

/** A resource that contracts refer to, other than contract types and scale points. Its records may be limited to some locations. */
export type ReferencedResource = ReferencesIn<DeclaredFields>

const isContractReference = (to: string): to is ReferencedResource => to !== 'contractType' && to !== 'payScalePoint'

const contractReferences = [...new Set(listReferringFields(staffContract.fields).map(({ field }): string => field.to))].filter(
  isContractReference,
)

/** Builds an object with a value for each resource of `ReferencedResource`. */
export function buildByReferencedResource<T>(of: (resource: ReferencedResource) => T): Record<ReferencedResource, T> {
  return recordFromKeys(contractReferences, of)
}

export function listReferencedIds({ kind }: ReferringField, value: unknown): number[] {
  if (value === null || value === undefined) return []
  if (kind === 'shares') return requireShares(value).map((share) => share.fundCodeId)
  return kind === 'references' ? requireNumbers(value) : [requireNumber(value)]
}
