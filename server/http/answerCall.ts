import { createCallContext } from '../auth/caller.ts'
import type { Services } from '../core/calls/context.ts'
import { handleRestCall } from '../rest/adapter.ts'
import type { HttpCall, HttpReply } from './call.ts'
import { answerTrpc } from './trpcCalls.ts'

export function answerCall(services: Services, call: HttpCall): Promise<HttpReply> {
  const context = createCallContext(services, { caller: call.caller, headers: call.headers, requestId: call.requestId })
  return call.protocol === 'trpc' ? answerTrpc(call, context) : handleRestCall(call, context)
}
