import { z } from 'zod'
import { contextOf } from '../auth/caller.ts'
import type { CallContext, Services } from '../core/calls/context.ts'
import { shareOf } from '../core/calls/context.ts'
import { readInput } from '../core/calls/input.ts'
import { passGate } from '../core/calls/procedures.ts'
import { inputOf } from '../rest/adapter.ts'
import { allProcedures, policyOf, routed } from '../rest/routes.ts'
import { parseJson } from './body.ts'
import type { Call } from './call.ts'
import { proceduresIn } from './trpcCalls.ts'

/** Bytes of a body up to which it is read here: reading more would hold up everybody. */
const mostRead = 64 * 1024

/** What a long call is before it waits for a thread. */
export interface Admission {
  /** It would be refused whatever the database holds: it is answered at once, and does not wait in line to be told so. */
  isRefused: boolean
  onlyLooks: boolean
  /** Whose share of the threads it takes. */
  share: string
}

/** One procedure that a call asks for, with its input, which is read only when somebody asks. */
interface Question {
  name: string
  input: () => Promise<unknown>
}

/** Looks at a long call as its gate will: by the rights of its caller, and by its input where that is short. */
export async function admissionOf(services: Services, call: Call): Promise<Admission> {
  const context = contextOf(services, call)
  const { principal, selection } = context
  const questions = questionsOf(call).filter(({ name }) => name in allProcedures)
  const onlyLooks = questions.every(({ name }) => allProcedures[name]?._def.type === 'query')
  if (!principal) return { isRefused: true, onlyLooks, share: '' }
  const isLarge = call.body instanceof Uint8Array && call.body.length > mostRead
  const refused = await Promise.all(
    questions.filter(({ name }) => policyOf(name).isLong).map((question) => isRefused(question, { ...context, principal }, isLarge)),
  )
  return { isRefused: refused.every(Boolean), onlyLooks, share: shareOf({ principal, selection }) }
}

async function isRefused(
  { name, input }: Question,
  context: CallContext & { principal: NonNullable<CallContext['principal']> },
  isLarge: boolean,
): Promise<boolean> {
  const { meta, inputs = [] } = allProcedures[name]?._def ?? {}
  if (!meta) return true
  try {
    passGate(meta, context)
    if (isLarge) return false
    for (const schema of inputs) if (schema instanceof z.ZodType) await schema.parseAsync(await input())
    return false
  } catch {
    // Whoever answers the call finds out the same, and says it.
    return true
  }
}

/** What a call asks for: of a batch of the browser's several procedures, else one. */
function questionsOf({ way, method, url, body }: Call): Question[] {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const json = () => (body instanceof Uint8Array ? parseJson(body) : body)
  if (way === 'rest') {
    const found = routed(method, path)
    if (!found) return []
    const { route, values } = found
    return [{ name: route.procedure, input: async () => inputOf(route, { values, query, body: json() }) }]
  }
  const asked = new URLSearchParams(query)
  const read = (): unknown => (method === 'GET' ? JSON.parse(asked.get('input') ?? 'null') : json())
  const isBatch = asked.get('batch') === '1'
  return (proceduresIn(path) ?? []).map((name, index) => ({
    name,
    input: async () => {
      const all = read()
      return readInput(isBatch && typeof all === 'object' && all !== null ? Reflect.get(all, String(index)) : all)
    },
  }))
}
