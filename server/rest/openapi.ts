import { allResources, separatelyStoredResources } from '../../domain/resources/all.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { isKeyOf } from '../../domain/values/keysOf.ts'
import { defaultTerms, getCountableTerm, type Term, toMidSentence } from '../../domain/words/terms.ts'
import { getCallPolicy } from '../core/calls/policies.ts'
import type { ProcedureMeta } from '../core/calls/procedures.ts'
import { contentTypeRegistry, getReplySchema } from '../core/calls/reply.ts'
import type { RestMeta } from '../core/calls/restMeta.ts'
import { productVersion } from '../core/config.ts'
import { buildExample } from './examples.ts'
import type { JsonSchema, SchemasByName } from './jsonSchema.ts'
import { allProcedures, type RestRoute, restRoutes } from './routes.ts'
import { buildCallDescriptions, buildPathParameterSchema, type CallDescriptions } from './schemas.ts'

type Json = Record<string, unknown>

const text: JsonSchema = { type: 'string' }
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const parameters: Record<string, Json> = {
  ApiVersion: {
    name: 'ApiVersion',
    in: 'header',
    description: 'The version of the API; the default is 2.',
    schema: { type: 'integer', enum: [2] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of your choice that identifies the call in the log; the reply repeats it.',
    schema: { type: 'string', pattern: '^[\\w-]{8,100}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique value of your choice that makes a retry safe: a call repeated with the same key runs once and gets the same reply. The same key with another body is refused with 422.',
    schema: { type: 'string', maxLength: 200 },
  },
  OrganisationId: {
    name: 'OrganisationId',
    in: 'header',
    required: true,
    description: 'Id of the organisation the call is about.',
    schema: { type: 'integer' },
    example: 1,
  },
  LocationId: {
    name: 'LocationId',
    in: 'header',
    required: true,
    description: 'Id of the location the call is about.',
    schema: { type: 'integer' },
    example: 1,
  },
  BudgetId: {
    name: 'BudgetId',
    in: 'header',
    required: true,
    description: 'Id of the budget the call is about.',
    schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
    example: '66f1a2b3c4d5e6f708192a3b',
  },
}

const headers: Record<string, Json> = {
  RequestId: { description: 'Identifies the call in the log.', schema: text },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  ContentDisposition: { description: 'The name of the file.', schema: text },
}

function refusal(description: string, example: string, further: Json = {}): Json {
  return {
    description,
    headers: { 'X-Request-Id': ref('headers', 'RequestId'), ...further },
    content: { 'text/plain': { schema: ref('schemas', 'Refusal'), example } },
  }
}

const retry = { 'Retry-After': ref('headers', 'RetryAfter') }

const refusals: Record<string, { name: string; response: Json }> = {
  400: { name: 'Invalid', response: refusal('The request breaks a rule.', 'Code is required.') },
  401: { name: 'SignIn', response: refusal('The token is missing or has expired.', 'Sign in to continue.') },
  403: { name: 'Forbidden', response: refusal('The client lacks the permission.', 'You do not have permission to do this.') },
  404: {
    name: 'NotFound',
    response: refusal('The record does not exist, or belongs to another organisation.', 'Budget code was not found.'),
  },
  409: {
    name: 'Conflict',
    response: refusal('The request conflicts with the current data.', 'Someone else has changed this. Load it again.'),
  },
  413: { name: 'TooLarge', response: refusal('The body is too large.', 'The request is too large: it can have at most 2 MB.') },
  415: { name: 'WrongType', response: refusal('This type of body or file is not accepted.', 'The file is not a picture.') },
  422: {
    name: 'OtherBody',
    response: refusal('The key was used before with another body.', 'This Idempotency-Key was used for another call.'),
  },
  429: { name: 'TooMany', response: refusal('The client has made too many calls.', 'Too many requests. Try again in 20 seconds.', retry) },
  500: {
    name: 'Unexpected',
    response: refusal('Something went wrong; the reference identifies it in the log.', 'Something went wrong. Reference 1f0c.'),
  },
  503: {
    name: 'Unavailable',
    response: refusal('The database cannot be reached, or too many calls are waiting.', 'Try again in a minute.', retry),
  },
}

/** The reply to an import with errors; such an import saves nothing. */
const importRefusal: JsonSchema = {
  type: 'object',
  title: 'Import errors',
  required: ['imported', 'errors'],
  properties: {
    imported: { const: 0 },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['row', 'message'],
        properties: {
          row: { type: 'integer', description: '1 is the first row under the heading.' },
          column: { type: ['string', 'null'] },
          value: { type: ['string', 'null'] },
          message: text,
        },
      },
    },
  },
  examples: [{ imported: 0, errors: [{ row: 1, column: 'Code', value: '', message: 'Code is required.' }] }],
}

const selectionHeaders: Record<ProcedureMeta['scope'], string[]> = {
  global: [],
  organisation: ['OrganisationId'],
  location: ['OrganisationId', 'LocationId'],
  budget: ['OrganisationId', 'LocationId', 'BudgetId'],
}

function describeAccess(access: ProcedureMeta['access']): string {
  if (access === 'signedIn') return 'Anyone who is signed in.'
  if (access === 'administrator') return 'Administrators only.'
  const permissions = [...new Set(access)].sort()
  return permissions.length === 1
    ? `Requires the permission ${permissions[0]}.`
    : `Requires at least one of these permissions: ${permissions.join(', ')}.`
}

const pathDescriptions: Record<string, string> = {
  year: 'The calendar year.',
  month: 'The calendar month, 1 to 12.',
  group: 'Id of a budget group.',
  budgetGroup: 'Id of a budget group.',
  locationId: 'Id of a location.',
  budgetCode: 'Id of a budget code.',
  employeeNumber: 'An employee number.',
  employee: 'An employee number.',
  payrollCode: 'A code of the payroll provider, exactly as it is written.',
  value: 'An amount in pounds, with at most two decimals.',
}

/** The term for what a call is about. @throws Error if the call declares neither a term nor an entity that has one */
function termFor({ path, term, entity }: RestMeta): Term {
  if (isKeyOf(defaultTerms, entity)) return defaultTerms[entity]
  if (!term) throw new Error(`${path} states no term`)
  return term
}

/** The name of one record of a call's subject. */
function nameOne(rest: RestMeta): string {
  return (isKeyOf(defaultTerms, rest.entity) ? getCountableTerm(rest.entity) : termFor(rest)).singular
}

function pathParameters({ procedure, path, meta }: RestRoute): Json[] {
  return [...path.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(([, name = '', kind]) => {
    const plain: JsonSchema =
      kind === 'integer' ? { type: 'integer' } : kind === 'mongoId' ? { type: 'string', pattern: '^[0-9a-f]{24}$' } : text
    const { description, ...schema } = buildPathParameterSchema(procedure, name) ?? plain
    const explanation = description ?? (name === 'id' ? `Id of the ${toMidSentence(nameOne(meta.rest))}.` : pathDescriptions[name])
    return { name, in: 'path', required: true, description: explanation, schema, example: buildExample(schema, { components: {}, name }) }
  })
}

function queryParameters({ properties = {}, required = [] }: JsonSchema = {}): Json[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
    example: buildExample(schema, { components: {}, name }),
  }))
}

const successes: Record<string, string> = {
  201: 'Created.',
  202: 'Accepted: the work continues in the background.',
  204: 'Success, without a body.',
}

function successResponse(procedure: string, status: string, reply: JsonSchema | undefined): Json {
  const replySchema = getReplySchema(assertDefined(allProcedures[procedure])._def.output)
  const file = replySchema && contentTypeRegistry.get(replySchema)
  const shared = { 'X-Request-Id': ref('headers', 'RequestId') }
  if (file)
    return {
      description: 'The file.',
      headers: { ...shared, 'Content-Disposition': ref('headers', 'ContentDisposition') },
      content: Object.fromEntries(file.contentTypes.map((type) => [type, { schema: type.startsWith('text') ? text : {} }])),
    }
  return {
    description: successes[status] ?? 'Success.',
    headers: shared,
    ...(reply ? { content: { 'application/json': { schema: reply } } } : {}),
  }
}

function refusalStatuses({ type, meta: { rest } }: RestRoute): string[] {
  const changes = type === 'mutation'
  return [
    ...['400', '401', '403', '404'],
    ...(changes || rest.mayConflict ? ['409'] : []),
    ...(rest.method === 'GET' || rest.method === 'DELETE' ? [] : ['413']),
    ...(rest.form ? ['415'] : []),
    ...(changes ? ['422'] : []),
    ...['429', '500', '503'],
  ]
}

function buildOperation(route: RestRoute, described: CallDescriptions, isAlso: boolean): Json {
  const { procedure, operation, meta, type } = route
  const { rest, access, scope, policy } = meta
  const status = String(rest.status ?? 200)
  const request = described.requests[operation]
  const isQuery = rest.method === 'GET' || rest.method === 'DELETE'
  const isImport = getCallPolicy(policy).limit === 'imports'
  const responses: Record<string, Json> = {
    [status]: successResponse(procedure, status, status === '204' ? undefined : described.replies[operation]),
  }
  for (const refused of refusalStatuses(route)) responses[refused] = ref('responses', assertDefined(refusals[refused]).name)
  if (isImport) responses[400] = ref('responses', 'ImportRefused')
  return {
    operationId: `${operation.replace(/^resources\./, '')}${isAlso ? '.also' : ''}`,
    tags: [termFor(rest).plural],
    summary: rest.summary,
    description: describeAccess(access),
    ...(isAlso ? { deprecated: true } : {}),
    parameters: [
      ...pathParameters(route),
      ...(isQuery ? queryParameters(request) : []),
      ...[...selectionHeaders[scope], 'ApiVersion', 'RequestId', ...(type === 'mutation' ? ['IdempotencyKey'] : [])].map((name) =>
        ref('parameters', name),
      ),
    ],
    ...(isQuery || !request || isEmpty(request) ? {} : { requestBody: requestBody(rest, request) }),
    responses,
  }
}

function isEmpty(request: JsonSchema): boolean {
  return request.type === 'object' && !Object.keys(request.properties ?? {}).length
}

function requestBody(rest: RestRoute['meta']['rest'], request: JsonSchema): Json {
  if (rest.form)
    return {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', required: [rest.form], properties: { [rest.form]: { type: 'string', format: 'binary' } } },
        },
      },
    }
  return { required: true, content: { 'application/json': { schema: request } } }
}

const purposes = new Map(
  [...allResources, ...Object.values(separatelyStoredResources)].map(({ key, purpose }) => [defaultTerms[key].plural, purpose]),
)

export function buildOpenApi(origin: string, tokenUrl: string): Json {
  const described = buildCallDescriptions(restRoutes)
  const paths: Record<string, Json> = {}
  const tags = new Set<string>()
  for (const route of [...restRoutes].sort((a, b) => a.path.localeCompare(b.path))) {
    const plain = route.path.replace(/\{(\w+):\w+\}/g, '{$1}')
    const operation = buildOperation(route, described, route.path !== route.meta.rest.path)
    paths[plain] = { ...paths[plain], [route.meta.rest.method.toLowerCase()]: operation }
    tags.add(termFor(route.meta.rest).plural)
  }
  const schemas: SchemasByName = {
    ...described.components,
    Refusal: { ...text, title: 'Refusal', description: 'A plain sentence that says what to do. Several sentences are on separate lines.' },
    ImportErrors: importRefusal,
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bursar',
      version: productVersion,
      description: introduction,
    },
    servers: [{ url: origin }],
    security: [{ oauth: ['api'] }],
    tags: [...tags].sort().map((name) => ({ name, ...(purposes.has(name) ? { description: purposes.get(name) } : {}) })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
      parameters,
      headers,
      responses: {
        ...Object.fromEntries(Object.values(refusals).map(({ name, response }) => [name, response])),
        ImportRefused: {
          description: 'The file has errors, and nothing was imported.',
          headers: { 'X-Request-Id': ref('headers', 'RequestId') },
          content: {
            'application/json': { schema: ref('schemas', 'ImportErrors') },
            'text/plain': { schema: ref('schemas', 'Refusal') },
          },
        },
      },
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          'x-default-scopes': ['api'],
          description: 'The id and secret of an API client, which an administrator creates.',
          flows: { clientCredentials: { tokenUrl, scopes: { api: 'Every call that the client has permission for' } } },
        },
      },
    },
  }
}

const introduction = [
  'Budgets, staffing costs and reference data of schools, trusts and local authorities, through the same calls that the product itself makes.',
  '**Signing in.** An administrator creates a client with the permissions it needs. Exchange its id and secret for a token at the token address (OAuth 2, client credentials, scope `api`), and send the token with each call as `Authorization: Bearer`. A token lasts ten minutes.',
  '**The selection** is sent in headers: `OrganisationId`, `LocationId` and `BudgetId`. Each call lists the ones it needs.',
  '**Values.** Money is in pounds with at most two decimals, rates are percentages, dates are `YYYY-MM-DD`, and times are ISO 8601 in UTC. Fixed choices are numbers, which `GET /api/Application/types` lists with their names. Ignore fields that you do not know, because replies may gain new ones.',
  '**Refusals** are plain text: one sentence that says what to do. Only an import replies with a list of errors by row.',
].join('\n\n')
