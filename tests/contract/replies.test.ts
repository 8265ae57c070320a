import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../server/rest/jsonSchema.ts'
import { openApiDocument } from '../support/samples/description.ts'
import { callsOfTable } from './rows.ts'

const table = <T>(name: string): T => JSON.parse(readFileSync(join(import.meta.dirname, `tables/${name}.json`), 'utf8'))
const { schemas } = table<{ schemas: Record<string, { fields: Record<string, string> }> }>('endpoints')
const { entities } = table<{ entities: { key: string; fields: { name: string; type: string }[] }[] }>('entities')
const parts = openApiDocument.components.schemas as Record<string, JsonSchema>

/** A schema of the OpenAPI document without references, single-choice wrappers and null. */
function plain(schema: JsonSchema): JsonSchema {
  if (schema.$ref) return plain(parts[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]!)
  const one = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (one?.length === 1) return plain(one[0]!)
  if (!schema.allOf && !one) return schema
  const all = [...(schema.allOf ?? []), ...(one ?? [])].map(plain)
  return { ...schema, properties: Object.assign({}, schema.properties, ...all.map(({ properties }) => properties)) }
}

const kinds: Record<string, readonly string[]> = {
  string: ['string'],
  text: ['string'],
  mongoId: ['string'],
  date: ['string'],
  datetime: ['string'],
  boolean: ['boolean'],
  int: ['integer', 'number'],
  integer: ['integer', 'number'],
  decimal: ['number', 'integer'],
  money: ['number', 'integer'],
}

/** Fields of an entity that some replies leave out, with the reason. */
const leftOut: readonly [RegExp, string][] = [
  [/\.extendedLeave$/, 'The leave of a person is kept by calls of its own; the one person is read with it.'],
  [/StaffContract.*\.costing$/, 'What a contract costs, month by month, is a call of its own; the contract comes with its yearly costs.'],
  [/StaffContract\/duplicate\S*\.(id|version)$/, 'A copy that is not saved has none yet.'],
  [/BudgetElements\/template\.(created|budgetGroupId)$/, 'Nothing has been made yet.'],
  [/(BudgetEntry\/paginated|BudgetEntries\/byYear).*\.reminder(Date|Text)$/, 'A reminder is of who reads, and comes with the one entry.'],
]

/** The fields and types of the table that a reply’s schema lacks, each by its path. */
function lacks(wanted: string, schema: JsonSchema | undefined, at: string): string[] {
  if (!schema) return [`${at} is not there`]
  const said = plain(schema)
  const type = wanted.replace(/\?$/, '')
  if (type.endsWith('[]')) {
    const list = said.items
    return said.type === 'array' || list ? lacks(type.slice(0, -2), list, `${at}[]`) : [`${at} is no list`]
  }
  const [, generic, of] = /^(\w+)<(.+)>$/.exec(type) ?? []
  if (generic === 'PagedResult')
    return [...lacks(`${of}[]`, said.properties?.rows, `${at}.rows`), ...lacks('int', said.properties?.total, `${at}.total`)]
  if (generic === 'EffectiveSummary')
    return [
      ...lacks('date', said.properties?.effectiveDate, `${at}.effectiveDate`),
      ...lacks('NameItem', said.properties?.adminTable, `${at}.adminTable`),
      ...lacks(`${of}[]`, said.properties?.rows, `${at}.rows`),
    ]
  const fields = type.startsWith('entity:')
    ? Object.fromEntries(entities.find((one) => `entity:${one.key}` === type)!.fields.map((field) => [field.name, field.type]))
    : schemas[type]?.fields
  if (fields)
    return Object.entries(fields).flatMap(([name, kind]) =>
      // A name in angle brackets stands for keys that name other rows.
      name.startsWith('<') || (kind.endsWith('?') && !said.properties?.[name]) ? [] : lacks(kind, said.properties?.[name], `${at}.${name}`),
    )
  const allowed = kinds[type]
  const own = [said.type ?? []].flat().filter((one) => one !== 'null')
  return allowed && own.length && !own.some((one) => allowed.includes(one)) ? [`${at} is ${own.join()}, not ${type}`] : []
}

describe('B-288 replies have the shapes of the table', () => {
  it('for every call', () => {
    const wrong = callsOfTable().flatMap(({ method, path, success, response }) => {
      if (response === null || response.startsWith('file:')) return []
      const operation = openApiDocument.paths[path]?.[method.toLowerCase()]
      const content = operation?.responses[success]?.content?.['application/json']
      return lacks(response, content?.schema as JsonSchema | undefined, `${method} ${path}`)
    })
    const isLeftOut = (one: string): boolean => leftOut.some(([pattern]) => pattern.test(one.replace(/ is not there$/, '')))
    expect(wrong.filter((one) => !isLeftOut(one))).toEqual([])
    for (const [pattern, why] of leftOut)
      expect(
        wrong.some((one) => pattern.test(one.replace(/ is not there$/, ''))),
        `${why} It is there now: take the line out.`,
      ).toBe(true)
  })
  it('for every import that is refused', () => {
    const refused = plain({ $ref: '#/components/schemas/ImportErrors' }).properties!
    expect(lacks('ImportResult', { properties: refused }, 'refused')).toEqual([])
    expect(lacks('ImportError[]', refused.errors, 'refused.errors')).toEqual([])
  })
})
