import type { Request } from 'express'
import { DomainError } from '../../domain/errors.ts'
import { type CallContext, type Services, selectionOf } from '../core/calls/context.ts'
import type { Principal } from '../core/calls/principal.ts'
import { turns } from '../core/turns.ts'
import { principalOf } from './accounts.ts'
import { bearerOf, type VerifyToken } from './tokens.ts'

/** Calls of one batch that are worked on at a time: a batch takes its share of the database, not all of it. */
const atATime = 4

/** Who calls, asked before anything of the call is read. */
export interface Caller {
  /** Null: nobody that is known. */
  principal: Principal | null
  /** Why nothing of the call is done. */
  refusal?: DomainError
}

/** Verifies the bearer token of a call and counts the call. @param calls how many calls it is: those of a batch count each */
export async function callerOf(services: Services, verify: VerifyToken, req: Request, calls: number): Promise<Caller> {
  const token = bearerOf(req.headers.authorization)
  const claims = token ? await verify(token) : null
  const principal = claims ? await principalOf(services.store, claims, services.config.oidc !== null) : null
  if (!principal) return { principal: null }
  const wait = await services.limits.count('calls', `${principal.kind} ${principal.userId ?? principal.clientId}`, calls)
  return wait
    ? {
        principal,
        refusal: new DomainError('tooMany', 'tooMany', `Too many requests. Try again in ${wait} seconds.`, [], { seconds: wait }),
      }
    : { principal }
}

/** The context of a call whose caller is known. A header that cannot be read refuses it. */
export function contextOf(
  services: Services,
  { principal, refusal }: Caller,
  headers: Record<string, string>,
  requestId: string,
): CallContext {
  const context = { services, requestId, idempotencyKey: headers['idempotency-key'], now: new Date(), turn: turns(atATime) }
  const none = selectionOf(() => undefined)
  if (refusal) return { ...context, principal: null, selection: none, refusal }
  if (!principal) return { ...context, principal: null, selection: none }
  try {
    return { ...context, principal, selection: selectionOf((name) => headers[name]) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...context, principal: null, selection: none, refusal: error }
  }
}
