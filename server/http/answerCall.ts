import { contextOf } from '../auth/caller.ts'
import type { Services } from '../core/calls/context.ts'
import { answerRest } from '../rest/adapter.ts'
import type { Call, Reply } from './call.ts'
import { answerTrpc } from './trpcCalls.ts'

/** Answers a call by its procedure, wherever this runs. */
export function answerCall(services: Services, call: Call): Promise<Reply> {
  const context = contextOf(services, { caller: call.caller, headers: call.headers, requestId: call.requestId })
  return call.way === 'trpc' ? answerTrpc(call, context) : answerRest(call, context)
}
