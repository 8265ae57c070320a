import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { allResources } from '../../domain/resources/all.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import { getReplySchema } from '../../server/core/calls/reply.ts'
import { allProcedures, restRoutes } from '../../server/rest/routes.ts'
import { findSchemaProblems, findValueProblems, openApiDocument } from '../support/samples/description.ts'
import { callsOfTable } from './rows.ts'

const operations = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
)

describe('the OpenAPI document of the API', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(openApiDocument)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })
  it('includes every address of every call', () => {
    expect(operations.length).toBe(restRoutes.length)
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  })
  it('is built from the outputs that the procedures declare', () => {
    const silent = Object.entries(allProcedures).filter(([, { _def }]) => !getReplySchema(_def.output))
    expect(silent.map(([name]) => name)).toEqual([])
  })
  it('describes every path and query parameter, with an allowed example', () => {
    const wrong = operations.flatMap(({ call, operation }) =>
      operation.parameters.flatMap((one) => {
        if (one.$ref) return []
        const problems = one.schema && findValueProblems(one.schema, one.example)
        return one.description && problems === '' ? [] : [`${call} ${one.name}: ${problems || 'means nothing'}`]
      }),
    )
    expect(wrong).toEqual([])
  })
  it('refers to a named schema for every body and every reply that is more than one plain value', () => {
    const loose = operations.flatMap(({ call, operation }) =>
      [
        operation.requestBody?.content['application/json'],
        ...Object.values(operation.responses).map((one) => one.content?.['application/json']),
      ]
        .flatMap((content) => (content ? [content.schema] : []))
        .filter(
          (schema) =>
            !/"\$ref"/.test(JSON.stringify(schema)) && !/^\{"type":("(boolean|integer|number|string)"|\[)/.test(JSON.stringify(schema)),
        )
        .map((schema) => `${call}: ${JSON.stringify(schema).slice(0, 100)}`),
    )
    expect(loose).toEqual([])
  })
  it('has every entity under its own term, as read, sent and imported', () => {
    const names = Object.keys(openApiDocument.components.schemas)
    const missing = allResources.flatMap(({ key }) =>
      [key, `${key}Page`, `${key}Input`, `${key}Update`, `${key}ImportRow`].filter((name) => key in defaultTerms && !names.includes(name)),
    )
    expect(missing.filter((name) => !/^(ApprenticeshipLevy|Organisation|Location)(Input|Update|ImportRow)$/.test(name))).toEqual([])
  })
  it('gives an example for every schema, which is valid', () => {
    const wrong = Object.entries(openApiDocument.components.schemas).flatMap(([name, schema]) =>
      ((schema as { examples?: unknown[] }).examples ?? []).flatMap((example) => {
        const problems = findSchemaProblems(name, example)
        return problems ? [`${name}: ${problems}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })
  it('names every status that the contract lists for the refusals of a call', () => {
    const wrong = callsOfTable().flatMap(({ id, method, path, errors }) => {
      const operation = operations.find(({ call }) => call.toLowerCase() === `${method} ${path}`.toLowerCase())?.operation
      return operation ? errors.filter((status) => !operation.responses[status]).map((status) => `${id} ${method} ${path}: ${status}`) : []
    })
    expect(wrong).toEqual([])
  })
})
