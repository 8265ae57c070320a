import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { buildOpenApi } from '../../../server/rest/openapi.ts'
import { matchRoute } from '../../../server/rest/routes.ts'

/** The OpenAPI document of the API, as it is served. */
interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, Answer> }
}
interface Operation {
  operationId: string
  summary: string
  parameters: { $ref?: string; name?: string; in?: string; description?: string; schema?: object; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, Answer & { $ref?: string }>
}
interface Answer {
  content?: Record<string, { schema: object }>
}

export const openApiDocument = JSON.parse(
  JSON.stringify(buildOpenApi('http://localhost:3000', 'http://localhost:3000/oidc/token')),
) as unknown as OpenApiDocument

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(openApiDocument, 'api')

const compiled = new Map<string, ValidateFunction>()

/** Checks a value against a part of the document. @returns what is wrong; empty if nothing is */
function validate(pointer: string, value: unknown): string {
  let check = compiled.get(pointer)
  if (!check) {
    check = ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, check)
  }
  return check(value) ? '' : ajv.errorsText(check.errors)
}

export function findSchemaProblems(name: string, value: unknown): string {
  return validate(`/components/schemas/${name}`, value)
}

/** Checks a value against a schema of its own. @returns what is wrong; empty if nothing is */
export function findValueProblems(schema: object, value: unknown): string {
  const check = ajv.compile(schema)
  return check(value) ? '' : ajv.errorsText(check.errors)
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * Checks a reply of the REST API against the OpenAPI document.
 * @throws Error for a status or a body that the document does not describe
 */
export function checkReply(method: string, address: string, status: number, contentType: string | null, body: unknown): void {
  const route = matchRoute(method, address.split('?')[0]!)
  // An unknown path gets 401, 404 or 501, which no operation describes.
  if (!route || status === 501) return
  const path = route.route.path.replace(/\{(\w+):\w+\}/g, '{$1}')
  const where = `${method} ${path} answered ${status}`
  const operation = openApiDocument.paths[path]?.[method.toLowerCase()]
  const answer = operation?.responses[status]
  if (!operation || !answer) throw new Error(`${where}, which is not described`)
  const at = answer.$ref ? answer.$ref.slice(1) : `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`
  const description = answer.$ref ? openApiDocument.components.responses[answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1)]! : answer
  const type = contentType?.split(';')[0] ?? ''
  if (body === '' && !description.content) return
  const described = Object.keys(description.content ?? {}).find(
    (one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  )
  if (!described) throw new Error(`${where} as ${type || 'nothing'}, which is not described`)
  if (!described.endsWith('json')) return
  const problems = validate(`${at}/content/${escaped(described)}/schema`, body)
  if (problems) throw new Error(`${where} with what is not described: ${problems}`)
}
