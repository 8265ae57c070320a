import { z } from 'zod'
import { createCallContext } from '../auth/caller.ts'
import type { CallContext, Services } from '../core/calls/context.ts'
import { getCapacityShareName } from '../core/calls/context.ts'
import { decodeInput } from '../core/calls/input.ts'
import { checkCallAccess, findRequiredAccess, type ProcedureMeta } from '../core/calls/procedures.ts'
import { buildProcedureInput } from '../rest/adapter.ts'
import { allProcedures, getProcedurePolicy, matchRoute } from '../rest/routes.ts'
import { parseJsonBody } from './body.ts'
import type { HttpCall } from './call.ts'
import { parseProcedurePath } from './trpcCalls.ts'

/** Bytes. The input of a larger body is not checked here, because parsing it would block other requests. */
const maxCheckedBytes = 64 * 1024

export interface LongCallAdmission {
  /** Whether the permission or input check refuses the call, so that it can be answered at once instead of queueing. */
  isRefused: boolean
  isReadOnly: boolean
  /** The organisation or caller whose quota of threads the call uses. */
  quotaKey: string
}

interface RequestedProcedure {
  name: string
  /** The meta of the REST route, or of the procedure for a tRPC call; undefined for an unknown procedure. */
  meta: ProcedureMeta | undefined
  input: () => Promise<unknown>
}

/** Checks a long call before it queues: the caller's permissions, and the input if the body is small. */
export async function checkLongCall(services: Services, call: HttpCall): Promise<LongCallAdmission> {
  const context = createCallContext(services, call)
  const { principal, selection } = context
  const questions = requestedProcedures(call).filter(({ name }) => name in allProcedures)
  const isReadOnly = questions.every(({ name }) => allProcedures[name]?._def.type === 'query')
  if (!principal) return { isRefused: true, isReadOnly, quotaKey: '' }
  const isLarge = call.body instanceof Uint8Array && call.body.length > maxCheckedBytes
  const refused = await Promise.all(
    questions
      .filter(({ name }) => getProcedurePolicy(name).isLong)
      .map((question) => isRefused(question, { ...context, principal }, isLarge)),
  )
  return { isRefused: refused.every(Boolean), isReadOnly, quotaKey: getCapacityShareName({ principal, selection }) }
}

async function isRefused(
  { name, meta, input }: RequestedProcedure,
  context: CallContext & { principal: NonNullable<CallContext['principal']> },
  isLarge: boolean,
): Promise<boolean> {
  if (!meta) return true
  try {
    checkCallAccess(meta, context)
    if (isLarge) return false
    const { inputs = [] } = allProcedures[name]?._def ?? {}
    const sent = inputs.length ? await input() : undefined
    checkCallAccess({ ...meta, access: findRequiredAccess(meta, sent) }, context)
    for (const schema of inputs) if (schema instanceof z.ZodType) await schema.parseAsync(sent)
    return false
  } catch {
    // Answer the call without queueing: its procedure fails in the same way and replies with the message.
    return true
  }
}

function requestedProcedures({ protocol, method, url, body }: HttpCall): RequestedProcedure[] {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const json = () => (body instanceof Uint8Array ? parseJsonBody(body) : body)
  if (protocol === 'rest') {
    const match = matchRoute(method, path)
    if (!match) return []
    const { route, values } = match
    return [{ name: route.procedure, meta: route.meta, input: async () => buildProcedureInput(route, { values, query, body: json() }) }]
  }
  const search = new URLSearchParams(query)
  const read = (): unknown => (method === 'GET' ? JSON.parse(search.get('input') ?? 'null') : json())
  const isBatch = search.get('batch') === '1'
  return (parseProcedurePath(path) ?? []).map((name, index) => ({
    name,
    meta: allProcedures[name]?._def.meta,
    input: async () => {
      const all = read()
      return decodeInput(isBatch && typeof all === 'object' && all !== null ? Reflect.get(all, String(index)) : all)
    },
  }))
}
