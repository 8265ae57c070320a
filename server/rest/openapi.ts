import { z } from 'zod'
import { lookups } from '../../domain/lookups.ts'
import { allResources } from '../../domain/resources/all.ts'
import type { Field } from '../../domain/resources/fields.ts'
import { defaultTerms } from '../../domain/terms.ts'
import { productVersion } from '../config.ts'
import { allProcedures, restRoutes } from './adapter.ts'

type Json = Record<string, unknown>

const text = { type: 'string' }

function fieldSchema(field: Field): Json {
  const described = { title: field.label, ...(field.help ? { description: field.help } : {}) }
  switch (field.kind) {
    case 'integer':
    case 'image':
    case 'reference':
      return { type: ['integer', 'null'], ...described }
    case 'money':
    case 'percent':
    case 'decimal':
      return { type: ['number', 'null'], ...described }
    case 'flag':
      return { type: field.either ? ['boolean', 'null'] : 'boolean', ...described }
    case 'choice':
      return {
        type: ['integer', 'null'],
        enum: lookups[field.lookup].map((item) => item.id),
        ...described,
        description: lookups[field.lookup].map((item) => `${item.id} ${item.name}`).join(', '),
      }
    case 'flags':
      return { type: 'integer', ...described, description: lookups[field.lookup].map((item) => `${item.id} ${item.name}`).join(', ') }
    case 'choices':
      return {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'integer' }, name: text } },
        ...described,
      }
    case 'rates':
      return { type: 'array', items: { type: 'number' }, minItems: field.columns.length, maxItems: field.columns.length, ...described }
    case 'references':
      return { type: 'array', items: { type: 'integer' }, ...described }
    case 'rows':
      return {
        type: 'array',
        items: {
          type: 'object',
          properties: Object.fromEntries(Object.entries(field.of).map(([name, part]) => [name, fieldSchema(part)])),
        },
        ...described,
      }
    case 'dateTime':
      return { type: ['string', 'null'], format: 'date-time', ...described }
    case 'richText':
      return { type: ['string', 'null'], maxLength: field.max, description: 'HTML; what it may not hold is taken out' }
    case 'date':
      return { type: ['string', 'null'], format: 'date', ...described }
    case 'text':
    case 'longText':
      return { type: ['string', 'null'], maxLength: field.max, ...described }
    case 'colour':
      return { type: ['string', 'null'], pattern: '^[0-9a-fA-F]{6}$', ...described }
  }
}

function entitySchemas(): Json {
  return Object.fromEntries(
    allResources.map((resource) => [
      resource.key,
      {
        type: 'object',
        required: Object.entries(resource.fields)
          .filter(([, field]) => field.required)
          .map(([name]) => name),
        properties: {
          id: { type: 'integer' },
          version: { type: 'integer' },
          created: { type: 'string', format: 'date' },
          ...Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, fieldSchema(field)])),
        },
      },
    ]),
  )
}

function inputOf(procedure: string): Json {
  const definition = allProcedures[procedure]!._def as unknown as { inputs?: z.ZodType[] }
  const schema = definition.inputs?.at(-1)
  if (!schema) return { type: 'object' }
  try {
    const { $schema: _schema, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
    return json
  } catch {
    return { type: 'object' }
  }
}

const errors: Json = { description: 'One plain sentence that says what to do.', content: { 'text/plain': { schema: text } } }
const headers = [
  { name: 'ApiVersion', in: 'header', required: false, schema: { type: 'integer', enum: [2] } },
  { name: 'OrganisationId', in: 'header', required: false, schema: { type: 'integer' } },
  { name: 'LocationId', in: 'header', required: false, schema: { type: 'integer' } },
  { name: 'BudgetId', in: 'header', required: false, schema: { type: 'string', pattern: '^[0-9a-f]{24}$' } },
]

/** The OpenAPI 3.1 document, derived from the procedures and the declarations. */
export function openApi(origin: string, tokenUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const { path, meta, procedure } of restRoutes) {
    const plain = path.replace(/\{(\w+):\w+\}/g, '{$1}')
    const names = [...path.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(([, name, kind]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: kind === 'integer' ? 'integer' : 'string' },
    }))
    const { rest, access, scope } = meta
    const needs = {
      global: '',
      organisation: ' Needs OrganisationId.',
      location: ' Needs OrganisationId and LocationId.',
      budget: ' Needs OrganisationId, LocationId and BudgetId.',
    }[scope]
    const who =
      access === 'signedIn'
        ? 'Any signed-in user.'
        : access === 'administrator'
          ? 'Administrators only.'
          : `Any one of: ${access.join(', ')}.`
    const entity = rest.entity && rest.entity in defaultTerms ? defaultTerms[rest.entity as keyof typeof defaultTerms].plural : 'Start-up'
    const operation: Json = {
      operationId: `${procedure}${rest.path === path ? '' : '.also'}`,
      tags: [entity],
      summary: `${entity}: ${procedure.split('.').at(-1)}`,
      description: `${who}${needs}`,
      parameters: [...headers, ...names],
      responses: {
        [String(rest.status ?? 200)]: { description: 'Done.' },
        400: errors,
        401: errors,
        403: errors,
        404: errors,
        409: errors,
      },
    }
    if (rest.method !== 'GET' && rest.method !== 'DELETE')
      operation.requestBody = { content: { 'application/json': { schema: inputOf(procedure) } } }
    paths[plain] = { ...paths[plain], [rest.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bursar',
      version: productVersion,
      description:
        'Budgets, staffing costs and reference data of schools and trusts. Money is in pounds with two decimals at most, dates are YYYY-MM-DD.',
    },
    servers: [{ url: origin }],
    security: [{ oauth: ['api'] }],
    paths,
    components: {
      schemas: entitySchemas(),
      securitySchemes: {
        oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: { api: 'Everything the client may do' } } } },
      },
    },
  }
}

function escaped(value: unknown): string {
  return String(value).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A page that shows the document to people, without scripts. */
export function openApiPage(document: Json): string {
  const byTag = new Map<string, string[]>()
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, Json>>))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = (operation.tags as string[])[0]!
      const body = operation.requestBody
        ? `<details><summary>Body</summary><pre>${escaped(JSON.stringify((operation.requestBody as { content: Record<string, { schema: unknown }> }).content['application/json']!.schema, null, 2))}</pre></details>`
        : ''
      byTag.set(tag, [
        ...(byTag.get(tag) ?? []),
        `<li><code><b>${method.toUpperCase()}</b> ${escaped(path)}</code><p>${escaped(operation.description)}</p>${body}</li>`,
      ])
    }
  const sections = [...byTag]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([tag, items]) => `<section><h2 id="${escaped(tag)}">${escaped(tag)}</h2><ul>${items.join('')}</ul></section>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Bursar API</title><link rel="stylesheet" href="/signin.css"></head><body class="api"><main><h1>Bursar API</h1><p>The document for machines is <a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`
}
