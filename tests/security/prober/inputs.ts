import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { allResources } from '../../../domain/resources/all.ts'
import { staffMember } from '../../../domain/resources/entities/budget/staffMember.ts'
import { reminder } from '../../../domain/resources/entities/organisation/reminder.ts'
import { user } from '../../../domain/resources/entities/organisation/user.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { allProcedures } from '../../../server/rest/routes.ts'
import { inputSchemaOf } from '../../support/samples/inputSchema.ts'
import { buildSample } from '../../support/samples/samples.ts'
import { type Kind, kindOf } from './kinds.ts'

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Chooses the id for one place of an input. Places are numbered in the order of the schema. */
export type Pick = (place: number, kind: Kind) => unknown

export interface Input {
  /** The kind of each id, by place. */
  places: Kind[]
  build(pick: Pick, options?: { filtered?: boolean }): unknown
}

const mongoPattern = '^[0-9a-f]{24}$'
const isDateName = /date|^from$|^until$|^when$|active|expires/i

function isIdLike(schema: Schema, leaf: string): boolean {
  const patterned = typeof schema.pattern === 'string' || schema.format === 'uuid'
  const isChoice = Array.isArray(schema.enum) || 'const' in schema
  return !isChoice && (schema.type === 'integer' || patterned || /(^id|Ids?)$/.test(leaf))
}

/** The entity of a procedure whose input accepts any fields. */
function declarationOf(procedure: string): AnyResource | undefined {
  const [router, name] = procedure.split('.')
  if (router === 'resources') return allResources.find((one) => one.name === name)
  const others: Record<string, AnyResource> = { reminders: reminder, staff: staffMember, users: user }
  if (procedure === 'codes.updateCentre') return allResources.find((one) => one.name === 'costCentre')
  return others[router!]
}

let samples = 0

/** A record of an entity in which each reference is a place. */
function recordFor(resource: AnyResource, next: (kind: Kind) => unknown): Record<string, unknown> {
  const record = buildSample(resource, 7000 + (samples++ % 2000), (to) => next(to) as number)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind === 'references') record[name] = [next(field.to)]
    if (field.kind === 'reference' && !field.required && name !== 'organisationId') record[name] = next(field.to)
    if (field.kind === 'image') record[name] = next('image')
  }
  return record
}

/** A patch of one field of an entity, preferably a reference. */
function patchFor(resource: AnyResource | undefined, next: (kind: Kind) => unknown): { op: string; path: string; value: unknown } {
  const pointing = Object.entries(resource?.fields ?? {}).find(
    ([name, field]) => name !== 'organisationId' && (field.kind === 'reference' || field.kind === 'references'),
  )
  if (!pointing) return { op: 'replace', path: `/${Object.keys(resource?.fields ?? { name: null })[0]}`, value: 'Probe' }
  const [name, field] = pointing
  if (field.kind === 'references') return { op: 'replace', path: `/${name}`, value: [next(field.to)] }
  return { op: 'replace', path: `/${name}`, value: field.kind === 'reference' ? next(field.to) : null }
}

class Builder {
  place = 0
  unknown: string[] = []
  constructor(
    readonly procedure: string,
    readonly pick: Pick,
    readonly filtered: boolean,
  ) {}

  next = (kind: Kind): unknown => this.pick(this.place++, kind)

  value(described: Schema, path: string[]): unknown {
    const schema = Array.isArray(described.type) ? { ...described, type: described.type.find((one) => one !== 'null') } : described
    const branches = schema.anyOf ?? schema.oneOf
    if (branches) return this.value(branches.find((one) => one.type !== 'null') ?? branches[0]!, path)
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => this.value(one, path)))
    if (schema.type === 'object' || schema.properties) return this.object(schema, path)
    if (schema.type === 'array') return this.array(schema, path)
    const leaf = path.at(-1) ?? ''
    if (leaf === 'filter') return 'id'
    const kind = kindOf(this.procedure, path, isIdLike(schema, leaf))
    if (kind === null) {
      this.unknown.push(path.join('.'))
      return 1
    }
    if (kind !== 'plain') {
      const id = this.next(kind)
      return schema.type === 'string' && typeof id === 'number' ? String(id) : id
    }
    return this.plain(schema, leaf)
  }

  private object(schema: Schema, path: string[]): Record<string, unknown> {
    const required = (schema.required as string[] | undefined) ?? []
    const result: Record<string, unknown> = {}
    const open = schema.additionalProperties as Schema | boolean | undefined
    if (open !== undefined && open !== false && typeof open === 'object' && open.type === 'string')
      return { Code: 'P1', Description: 'Probe' }
    if (open === true || (open && typeof open === 'object' && !Object.keys(open).length)) {
      const resource = declarationOf(this.procedure)
      if (resource) Object.assign(result, recordFor(resource, this.next))
      else if (this.procedure !== 'codes.updateCentre') this.unknown.push([...path, '*'].join('.'))
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      if (name === 'patch' && part.type === 'array') {
        result[name] = [patchFor(declarationOf(this.procedure), this.next)]
        continue
      }
      if (name === 'filters') {
        if (this.filtered) {
          const kind = kindOf(this.procedure, ['id'], true)
          if (kind && kind !== 'plain') result[name] = [{ filter: 'id', filterType: 'set', values: [this.next(kind)] }]
        }
        continue
      }
      if (name in result && name !== 'id') continue
      if (required.includes(name) || this.holdsId(part, [...path, name])) result[name] = this.value(part, [...path, name])
    }
    return result
  }

  private array(schema: Schema, path: string[]): unknown[] {
    const items = schema.items
    if (!items) return []
    const branches = items.anyOf ?? items.oneOf
    if (branches) return branches.filter((one) => one.type !== 'null').map((one) => this.value(one, path))
    const count = Math.max(1, Math.min(Number(schema.minItems ?? 1), 12))
    return Array.from({ length: count }, () => this.value(items, path))
  }

  /** Whether a schema contains an id at any depth, under any name. */
  private holdsId(schema: Schema, path: string[]): boolean {
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])]
    if (parts.some((part) => this.holdsId(part, path))) return true
    if (Array.isArray(schema.type)) return this.holdsId({ ...schema, type: schema.type.find((one) => one !== 'null') }, path)
    if (Object.entries(schema.properties ?? {}).some(([name, part]) => name !== 'filters' && this.holdsId(part, [...path, name])))
      return true
    if (schema.type === 'object' || schema.type === 'array' || schema.type === 'null' || parts.length) return false
    return kindOf(this.procedure, path, isIdLike(schema, path.at(-1)!)) !== 'plain'
  }

  private plain(schema: Schema, leaf: string): unknown {
    if ('const' in schema) return schema.const
    if (Array.isArray(schema.enum)) return schema.enum[0]
    switch (schema.type) {
      case 'boolean':
        return false
      case 'integer':
      case 'number': {
        if (leaf === 'firstYear' || leaf === 'year') return Number(schema.minimum ?? 0) > 1000 ? 2026 : 0
        // A month that the budgets include.
        if (leaf === 'month') return 10
        const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0)
        return Math.max(least, leaf === 'pageSize' ? 50 : leaf === 'pageNumber' || leaf === 'version' ? 1 : 0)
      }
      case 'string':
        if (schema.format === 'uuid') return randomUUID()
        if (isDateName.test(leaf)) return '2026-10-01'
        if (leaf === 'yearName') return '2026/27'
        if (leaf === 'line') return 'income levy'
        if (leaf === 'at' && schema.pattern) return '02:30'
        // The test’s budgets were made today.
        if (leaf === 'day') return new Date().toISOString().slice(0, 10)
        if (leaf === 'created') return '2026-10-01T00:00:00.000Z'
        if (schema.pattern === mongoPattern) return '0'.repeat(24)
        return leaf === 'types' ? '1' : leaf === 'resource' ? 'budgetCode' : 'Probe'
      default:
        return 'Probe'
    }
  }
}

/** How to build inputs for a procedure. @throws Error for an id of unknown kind, which must be added to kinds.ts */
export function inputOf(procedure: string): Input {
  const known = inputsOfProcedures.get(procedure) ?? readInput(procedure)
  inputsOfProcedures.set(procedure, known)
  return known
}

const inputsOfProcedures = new Map<string, Input>()

function readInput(procedure: string): Input {
  const { inputs } = allProcedures[procedure]!._def as unknown as { inputs?: z.ZodType[] }
  const schema = inputs?.at(-1)
  if (!schema) return { places: [], build: () => undefined }
  const json = inputSchemaOf(schema) as Schema
  const places: Kind[] = []
  const trial = new Builder(
    procedure,
    (_place, kind) => {
      places.push(kind)
      return 1
    },
    false,
  )
  trial.value(json, [])
  if (trial.unknown.length) throw new Error(`${procedure}: say in kinds.ts what ${trial.unknown.join(', ')} names`)
  return { places, build: (pick, { filtered = false } = {}) => new Builder(procedure, pick, filtered).value(json, []) }
}
