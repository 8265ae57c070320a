import { allResources, ownStores } from '../../domain/resources/all.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import type { Meta } from '../core/calls/procedures.ts'
import { contentTypes, schemaOfReply } from '../core/calls/reply.ts'
import { productVersion } from '../core/config.ts'
import { exampleOf } from './examples.ts'
import type { JsonSchema, Schemas } from './jsonSchema.ts'
import { allProcedures, type RestRoute, restRoutes } from './routes.ts'
import { type Described, describedCalls, sentInPath } from './schemas.ts'
import { lowered, summaryOf, termOf } from './summaries.ts'

type Json = Record<string, unknown>

const text: JsonSchema = { type: 'string' }
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** What every call may be given beside its path, query and body. */
const parameters: Record<string, Json> = {
  ApiVersion: {
    name: 'ApiVersion',
    in: 'header',
    description: 'The version of the API; a call without it is one of version 2.',
    schema: { type: 'integer', enum: [2] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'By which the log names the call. It decides nothing; the answer carries it back.',
    schema: { type: 'string', pattern: '^[\\w-]{8,100}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Of your own making, for a change that is sent again when no answer came: the same call with the same key is done once and answered alike; with another body it is refused with 422.',
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
  RequestId: { description: 'By which the log names the call.', schema: text },
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

/** Why a call is refused, by status. */
const refusals: Record<string, { name: string; response: Json }> = {
  400: { name: 'Invalid', response: refusal('What was sent breaks a rule.', 'Code is required.') },
  401: { name: 'SignIn', response: refusal('There is no token, or it has run out.', 'Sign in to continue.') },
  403: { name: 'Forbidden', response: refusal('The client may not do this.', 'You do not have permission to do this.') },
  404: { name: 'NotFound', response: refusal('It is not there, or belongs to another organisation.', 'Budget code was not found.') },
  409: {
    name: 'Conflict',
    response: refusal('It does not go with what is there.', 'Somebody else has changed this. Load it again.'),
  },
  413: { name: 'TooLarge', response: refusal('The body is too large.', 'The call is larger than 2 MB.') },
  415: { name: 'WrongType', response: refusal('The file is of a kind that is not taken.', 'The file is not a picture.') },
  422: {
    name: 'OtherBody',
    response: refusal('The key was used before for another body.', 'This Idempotency-Key was used for another call.'),
  },
  429: { name: 'TooMany', response: refusal('Too many calls.', 'Too many requests. Try again in 20 seconds.', retry) },
  500: {
    name: 'Unexpected',
    response: refusal('Something went wrong; the log has it under the reference.', 'Something went wrong. Reference 1f0c.'),
  },
  503: { name: 'Unavailable', response: refusal('The database cannot be reached at the moment.', 'Try again in a minute.', retry) },
}

/** What is answered to a file of which something is wrong: nothing of it is kept. */
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

const selectionOf: Record<Meta['scope'], string[]> = {
  global: [],
  organisation: ['OrganisationId'],
  location: ['OrganisationId', 'LocationId'],
  budget: ['OrganisationId', 'LocationId', 'BudgetId'],
}

function whoMay(access: Meta['access']): string {
  if (access === 'signedIn') return 'Whoever is signed in.'
  return access === 'administrator' ? 'Administrators only.' : `Any one of these permissions: ${[...new Set(access)].sort().join(', ')}.`
}

/** What stands in a path, where the call itself says no more of it. */
const placesInPath: Record<string, string> = {
  year: 'The year of the calendar.',
  month: 'The month of the calendar, 1 to 12.',
  group: 'Id of a budget group.',
  budgetGroup: 'Id of a budget group.',
  locationId: 'Id of a location.',
  budgetCode: 'Id of a budget code.',
  employeeNumber: 'Number of an employee.',
  employee: 'Number of an employee.',
  payrollCode: 'A payroll code, as it is written.',
  value: 'An amount in pounds.',
}

function pathParameters({ procedure, path, meta }: RestRoute): Json[] {
  return [...path.matchAll(/\{(\w+)(?::(\w+))?\}/g)].map(([, name = '', kind]) => {
    const plain: JsonSchema =
      kind === 'integer' ? { type: 'integer' } : kind === 'mongoId' ? { type: 'string', pattern: '^[0-9a-f]{24}$' } : text
    const { description, ...schema } = sentInPath(procedure, name) ?? plain
    const said = description ?? (name === 'id' ? `Id of the ${lowered(termOf(procedure, meta.rest).singular)}.` : placesInPath[name])
    return { name, in: 'path', required: true, description: said, schema, example: exampleOf(schema, { components: {}, name }) }
  })
}

function queryParameters({ properties = {}, required = [] }: JsonSchema = {}): Json[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
    example: exampleOf(schema, { components: {}, name }),
  }))
}

/** What a call answers that went well. */
function success(procedure: string, given: JsonSchema | undefined): Json {
  const said = schemaOfReply(assertDefined(allProcedures[procedure])._def.output)
  const file = said && contentTypes.get(said)
  const shared = { 'X-Request-Id': ref('headers', 'RequestId') }
  if (file)
    return {
      description: 'A file.',
      headers: { ...shared, 'Content-Disposition': ref('headers', 'ContentDisposition') },
      content: Object.fromEntries(file.contentTypes.map((type) => [type, { schema: type.startsWith('text') ? text : {} }])),
    }
  return { description: 'Done.', headers: shared, ...(given ? { content: { 'application/json': { schema: given } } } : {}) }
}

/** Statuses a call may be refused with. */
function statusesOf({ type, meta: { rest } }: RestRoute): string[] {
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

function operationOf(route: RestRoute, described: Described, isAlso: boolean): Json {
  const { procedure, meta, type } = route
  const { rest, access, scope } = meta
  const status = String(rest.status ?? 200)
  const taken = described.taken[procedure]
  const isQuery = rest.method === 'GET' || rest.method === 'DELETE'
  const isImport = /import$/i.test(procedure)
  const responses: Record<string, Json> = {
    [status]: status === '204' ? success(procedure, undefined) : success(procedure, described.given[procedure]),
  }
  for (const refused of statusesOf(route)) responses[refused] = ref('responses', assertDefined(refusals[refused]).name)
  if (isImport) responses[400] = ref('responses', 'ImportRefused')
  return {
    operationId: `${procedure.replace(/^resources\./, '')}${isAlso ? '.also' : ''}`,
    tags: [termOf(procedure, rest).plural],
    summary: summaryOf(procedure, rest),
    description: whoMay(access),
    ...(isAlso ? { deprecated: true } : {}),
    parameters: [
      ...pathParameters(route),
      ...(isQuery ? queryParameters(taken) : []),
      ...[...selectionOf[scope], 'ApiVersion', 'RequestId', ...(type === 'mutation' ? ['IdempotencyKey'] : [])].map((name) =>
        ref('parameters', name),
      ),
    ],
    ...(isQuery || !taken || isEmpty(taken) ? {} : { requestBody: bodyOf(rest, taken) }),
    responses,
  }
}

/** Whether a call that could have a body takes nothing but what its path names. */
function isEmpty(taken: JsonSchema): boolean {
  return taken.type === 'object' && !Object.keys(taken.properties ?? {}).length
}

function bodyOf(rest: RestRoute['meta']['rest'], taken: JsonSchema): Json {
  if (rest.form)
    return {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', required: [rest.form], properties: { [rest.form]: { type: 'string', format: 'binary' } } },
        },
      },
    }
  return { required: true, content: { 'application/json': { schema: taken } } }
}

const purposes = new Map([...allResources, ...Object.values(ownStores)].map(({ key, purpose }) => [defaultTerms[key].plural, purpose]))

/** The OpenAPI 3.1 document, derived from the procedures and the declarations. */
export function openApi(origin: string, tokenUrl: string): Json {
  const described = describedCalls([...new Set(restRoutes.map((route) => route.procedure))])
  const paths: Record<string, Json> = {}
  const tags = new Set<string>()
  for (const route of [...restRoutes].sort((a, b) => a.path.localeCompare(b.path))) {
    const plain = route.path.replace(/\{(\w+):\w+\}/g, '{$1}')
    const operation = operationOf(route, described, route.path !== route.meta.rest.path)
    paths[plain] = { ...paths[plain], [route.meta.rest.method.toLowerCase()]: operation }
    tags.add(termOf(route.procedure, route.meta.rest).plural)
  }
  const schemas: Schemas = {
    ...described.components,
    Refusal: { ...text, title: 'Refusal', description: 'One plain sentence that says what to do; one a line where there are several.' },
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
          description: 'Something in the file is wrong, and nothing of it was kept.',
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
          description: 'The id and the secret of an API client, which an administrator makes.',
          flows: { clientCredentials: { tokenUrl, scopes: { api: 'Everything the client may do' } } },
        },
      },
    },
  }
}

const introduction = [
  'Budgets, staffing costs and reference data of schools, trusts and local authorities, by the same calls as the product itself makes.',
  '**Signing in.** An administrator makes a client with the permissions it needs. Its id and secret are exchanged for a token at the token address (OAuth 2, client credentials, scope `api`); each call carries it as `Authorization: Bearer`. A token lasts ten minutes.',
  '**What a call is about** stands in headers: `OrganisationId`, `LocationId` and `BudgetId`, as far as the call says that it needs them.',
  '**Values.** Money is in pounds with two decimals at most, rates are per cent, dates are `YYYY-MM-DD`, moments are ISO 8601 in UTC. New fields may be added to replies: read past what you do not know.',
  '**Refusals** are plain text: one sentence that says what to do. Only an import answers with a list of what is wrong in which row.',
].join('\n\n')
