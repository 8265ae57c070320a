import { initTRPC, TRPCError } from '@trpc/server'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { hasAnyPermission, type Permission } from '../../../domain/people/permissions.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { isRecord } from '../../../domain/values/unknownValues.ts'
import { DomainError, type ErrorKind, forbidden, tooManyRequests } from '../../../domain/words/errors.ts'
import { locations } from '../../../drizzle/schema.ts'
import { type OrganisationTx, openStoreWithin } from '../database/database.ts'
import { toDatabaseError } from '../database/problems.ts'
import { toConstraintError } from '../database/uniqueRules.ts'
import { announceRightsChanged } from '../live/rightsChanged.ts'
import { log } from '../log.ts'
import { getThrownDetails } from '../thrownDetails.ts'
import { countCall, countRefusal } from '../watch/counters.ts'
import type { TracedWork } from '../watch/tracer.ts'
import { traceWork } from '../watch/tracing.ts'
import {
  buildCallerRights,
  type CallContext,
  type CallerRights,
  getCapacityShareName,
  listReachableLocations,
  type Services,
  toActor,
} from './context.ts'
import { decodeInput } from './input.ts'
import { failureLimits, type LimitName, type RateLimits } from './limits.ts'
import { type CallTools, runInOneTransaction, type TransactionScope } from './oneTransaction.ts'
import { encodeOutput } from './output.ts'
import { type CallPolicyName, getCallPolicy } from './policies.ts'
import type { Principal } from './principal.ts'
import type { FileReply } from './reply.ts'
import type { RestMeta, TwoLevelRestMeta } from './restMeta.ts'
import type { RowScope } from './scope.ts'
import { findSelectedBudget } from './selectedBudget.ts'

/** What a call adds to the method and path of its REST address. */
export type RestDetails = Omit<RestMeta, 'method' | 'path'>

/** Returns a function that makes the REST addresses of a router under one path, with the details they share. */
export function defineRestPaths(base: string, shared: Partial<RestDetails> = {}) {
  return (method: RestMeta['method'], path: string, details: RestDetails): RestMeta => ({
    method,
    path: `${base}${path}`,
    ...shared,
    ...details,
  })
}

/**
 * Returns a function that makes the REST addresses of a procedure that works at two levels (`atLevels`), with a summary that names the
 * level. The address of the part ends with a budget group.
 */
export function defineRestPathsByLevel(at: ReturnType<typeof defineRestPaths>) {
  return (
    method: RestMeta['method'],
    path: string,
    { summary, ...details }: Omit<RestDetails, 'summary'> & { summary: (level: string) => string },
  ): [whole: RestMeta, part: RestMeta] => [
    at(method, path, { ...details, summary: summary('the whole organisation') }),
    at(method, `${path}/{group:mongoId}`, { ...details, summary: summary('a budget group') }),
  ]
}

/**
 * Who may call a procedure, what must be selected, and its REST address or addresses. The server does not start with a
 * procedure without meta.
 */
export interface ProcedureMeta {
  access: 'signedIn' | 'administrator' | readonly Permission[]
  scope: 'global' | 'organisation' | 'location' | 'budget'
  policy: CallPolicyName
  rest?: RestMeta | TwoLevelRestMeta
}

const codes: Record<ErrorKind, TRPCError['code']> = {
  invalid: 'BAD_REQUEST',
  signIn: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  notFound: 'NOT_FOUND',
  conflict: 'CONFLICT',
  tooLarge: 'PAYLOAD_TOO_LARGE',
  wrongType: 'UNSUPPORTED_MEDIA_TYPE',
  otherBody: 'UNPROCESSABLE_CONTENT',
  tooMany: 'TOO_MANY_REQUESTS',
  notImplemented: 'NOT_IMPLEMENTED',
  unavailable: 'SERVICE_UNAVAILABLE',
}

/** The public form of an error: the message of a DomainError, or one sentence with the request id. */
export interface PublicError {
  code: string
  kind: ErrorKind | 'unexpected'
  message: string
  fields: { field: string; message: string }[]
  details: unknown
}

/** Whether an error is a failed input validation. `instanceof` would miss errors from another copy of the library. */
function isValidationError(error: unknown): error is z.ZodError {
  return error instanceof z.ZodError || getThrownDetails(error).name === 'ZodError'
}

/** Masks every error that is not meant for users, and logs it with the request id (rule 6 of the design). */
export function toPublicError(error: unknown, requestId: string): PublicError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error
  if (cause instanceof DomainError)
    return { code: cause.code, kind: cause.kind, message: cause.message, fields: cause.fields, details: cause.details }
  if (isValidationError(cause)) {
    const fields = cause.issues.map((issue) => ({ field: issue.path.join('.'), message: describeIssue(issue) }))
    return { code: 'invalid', kind: 'invalid', message: fields.map((field) => field.message).join('\n'), fields, details: undefined }
  }
  if (error instanceof TRPCError && error.code === 'NOT_FOUND')
    return { code: 'notFound', kind: 'notFound', message: 'This call does not exist.', fields: [], details: undefined }
  if (error instanceof TRPCError && error.code === 'PARSE_ERROR')
    return { code: 'invalid', kind: 'invalid', message: 'The request body is not valid JSON.', fields: [], details: undefined }
  // Errors raised before a procedure is reached: an unknown address, method or body.
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR')
    return { code: 'invalid', kind: 'invalid', message: 'The request cannot be read.', fields: [], details: undefined }
  log.error({ err: cause, requestId }, 'a call failed unexpectedly')
  return {
    code: 'unexpected',
    kind: 'unexpected',
    message: `Something went wrong. Reference ${requestId}.`,
    fields: [],
    details: undefined,
  }
}

/** Our own schema messages end with a full stop. The library's messages are rephrased with the field name. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('.')) return issue.message
  const field = issue.path.join('.') || 'The body'
  return issue.code === 'invalid_type' ? `${field} is missing or has the wrong type.` : `${field} is not valid.`
}

const t = initTRPC
  .context<CallContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: { serialize: encodeOutput, deserialize: decodeInput },
    errorFormatter: ({ error, shape, ctx }) => {
      const shown = toPublicError(error, ctx?.requestId ?? 'none')
      return { ...shape, message: shown.message, data: { code: shape.data.code, httpStatus: shape.data.httpStatus, problem: shown } }
    },
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

function asTrpc(error: DomainError): TRPCError {
  return new TRPCError({ code: codes[error.kind], message: error.message, cause: error })
}

/**
 * Converts an error to what the caller receives: domain and constraint errors with their own sentence, database failures with a sentence
 * about the failure, all other errors unchanged.
 */
function toCallerError(error: TRPCError, requestId: string): TRPCError {
  if (error.code !== 'INTERNAL_SERVER_ERROR') return error
  const { cause } = error
  const ours = cause instanceof DomainError ? cause : toConstraintError(cause)
  if (ours) return asTrpc(ours)
  const databaseError = toDatabaseError(cause)
  if (!databaseError) return error
  log.warn({ err: cause, requestId }, databaseError.message)
  return asTrpc(databaseError)
}

/**
 * Returns the caller.
 * @throws TRPCError 401 without a caller; the refusal if the call was already refused
 */
function requirePrincipal({ refusal, principal }: CallContext): Principal {
  if (refusal) throw asTrpc(refusal)
  if (!principal) throw asTrpc(new DomainError('signIn', 'signIn', 'Sign in to continue.'))
  return principal
}

/**
 * Counts a rate-limited call before any of its work and outside its transaction, so that refused calls count too.
 * @returns a function that takes the count back, if only failures count
 * @throws TRPCError 429 over the limit
 */
async function countLimited(limits: RateLimits, limit: LimitName | undefined, principal: Principal): Promise<(() => Promise<void>) | null> {
  if (!limit) return null
  const callerKey = `${principal.kind} ${principal.userId ?? principal.clientId}`
  const wait = await limits.count(limit, callerKey)
  if (wait) {
    countRefusal(principal)
    throw asTrpc(tooManyRequests(wait))
  }
  return failureLimits.has(limit) ? () => limits.forgive(limit, callerKey) : null
}

/**
 * The first step of every call: identifies the caller, applies the rate limit, converts errors to what the caller receives, and records the
 * outcome. It is a single step because each middleware costs more than its work.
 */
const callProcedure = t.procedure.use(async ({ ctx, next, path, type, meta }) => {
  const began = performance.now()
  const { limit, changesRights } = getCallPolicy(assertDefined(meta).policy)
  const work: TracedWork = {
    name: path,
    kind: 'server',
    parent: ctx.traceparent,
    attributes: { 'rpc.method': path, 'bursar.type': type, 'bursar.request_id': ctx.requestId },
  }
  return traceWork(work, async (ended) => {
    const count = (outcome: string): void => {
      countCall({ procedure: path, outcome, type, seconds: (performance.now() - began) / 1000 })
      ended(outcome, outcome === 'failed')
    }
    try {
      const principal = requirePrincipal(ctx)
      const forgive = await countLimited(ctx.services.limits, limit, principal)
      const result = await ctx.turn(() => next({ ctx: { principal } }))
      if (!result.ok) throw toCallerError(result.error, ctx.requestId)
      await forgive?.()
      if (changesRights) await announceRightsChanged(ctx.services)
      count('ok')
      return result
    } catch (error) {
      count(error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR' ? error.code : 'failed')
      throw error
    }
  })
})

function isAllowed(access: ProcedureMeta['access'], holder: CallerRights): boolean {
  if (holder.isAdministrator) return true
  return access === 'administrator' ? false : access === 'signedIn' || hasAnyPermission(holder, access)
}

function createMissingHeaderError(header: string): TRPCError {
  return asTrpc(new DomainError('invalid', 'header', `${header} is missing.`))
}

/**
 * Checks what needs no database: who may call the procedure, and what must be selected.
 * @returns the caller's permissions
 * @throws TRPCError or DomainError for a call that is refused whatever its input
 */
export function checkCallAccess(
  { access, scope }: Pick<ProcedureMeta, 'access' | 'scope'>,
  ctx: Pick<CallContext, 'selection'> & { principal: Principal },
): CallerRights {
  const { principal, selection } = ctx
  const { organisationId } = selection
  if (scope !== 'global' && organisationId === null && !principal.isAdministrator) throw createMissingHeaderError('OrganisationId')
  const holder = buildCallerRights(principal, organisationId)
  // Without a selected organisation, a permission applies only in the organisations where it is held.
  const isHeldSomewhere = organisationId === null && typeof access !== 'string' && listReachableLocations(principal, access).length > 0
  if (!isAllowed(access, holder) && !(scope === 'global' && isHeldSomewhere)) throw asTrpc(forbidden())
  if (scope === 'location' || scope === 'budget') requireLocation({ selection, holder })
  return holder
}

/** The permissions that an input requires. For a procedure with two levels, those of the level that the input names. */
export function findRequiredAccess({ access, rest }: Pick<ProcedureMeta, 'access' | 'rest'>, input: unknown): ProcedureMeta['access'] {
  if (!rest || 'path' in rest) return access
  const [whole, part] = rest
  return isRecord(input) && (input[whole.without] ?? null) !== null ? part.access : whole.access
}

/** A call that needs no selection: start-up, administration, global lists. */
export function global(access: ProcedureMeta['access'], policy: CallPolicyName, rest?: RestMeta) {
  return callProcedure.meta({ access, scope: 'global', policy, rest }).use(({ ctx, next, ...call }) => {
    const { organisationId } = ctx.selection
    const holder = checkCallAccess({ access, scope: 'global' }, ctx)
    const reaches = holder.isAdministrator ? undefined : listReachableLocations(ctx.principal, typeof access === 'string' ? [] : access)
    const rows: RowScope = {
      organisationId: holder.isAdministrator ? null : organisationId,
      locationIds: holder.locationIds,
      reaches,
      isAdministrator: holder.isAdministrator,
    }
    const open: TransactionScope['open'] = (work, purpose) => ctx.services.store.asPlatform(work, purpose, getCapacityShareName(ctx))
    return runInOneTransaction({ ctx, ...call }, { organisationId: null, open }, (tools) =>
      next({ ctx: { holder, rows, actor: toActor(ctx), ...tools } }),
    )
  })
}

/** A call within the selected organisation. */
export function inOrganisation(access: ProcedureMeta['access'], policy: CallPolicyName, rest?: RestMeta) {
  return inSelection({ access, scope: 'organisation', policy, rest })
}

/** The permissions of a call for the whole organisation and for a part of it, and the input field that names the part. */
interface Levels {
  field: string
  whole: readonly Permission[]
  part: readonly Permission[]
}

/**
 * A call about the whole organisation, or about the part of it that a field of the input names. Each level has its own
 * permissions and its own address.
 */
export function atLevels({ field, whole, part }: Levels, policy: CallPolicyName, rest: readonly [whole: RestMeta, part: RestMeta]) {
  const access = [...new Set([...part, ...whole])]
  const levels: TwoLevelRestMeta = [
    { ...rest[0], access: whole, without: field },
    { ...rest[1], access: part },
  ]
  return inSelection({ access, scope: 'organisation', policy, rest: levels })
}

/**
 * Checks the level and the location before anything is read, including the stored answer of a repeated call, which the
 * caller may no longer be allowed to see.
 */
function inSelection(meta: ProcedureMeta & { scope: 'organisation' | 'location' | 'budget' }) {
  const { access, scope, policy, rest } = meta
  const hasLevels = rest && !('path' in rest)
  return callProcedure.meta(meta).use(async ({ ctx, next, ...call }) => {
    const { organisationId } = ctx.selection
    const holder = checkCallAccess({ access: ctx.address?.access ?? access, scope }, ctx)
    // The address that was called decides the level and was checked above. A call of the browser names the level in its input.
    if (!ctx.address && hasLevels) checkCallAccess({ access: findRequiredAccess(meta, await call.getRawInput()), scope }, ctx)
    if (organisationId === null) throw createMissingHeaderError('OrganisationId')
    const rows: RowScope = { organisationId, locationIds: holder.locationIds, isAdministrator: holder.isAdministrator }
    const { store } = ctx.services
    // A report reads from one to very many budgets, so its statements are planned for each call.
    const reportPurpose = scope === 'budget' ? 'page' : 'look'
    const open: TransactionScope['open'] = (work, purpose) =>
      purpose !== 'change' && call.type === 'query' && getCallPolicy(policy).mayReadReplica
        ? store.report(organisationId, work, reportPurpose)
        : store.inOrganisation(organisationId, work, purpose)
    return runInOneTransaction({ ctx, ...call }, { organisationId, open }, (tools) =>
      next({ ctx: { organisationId, holder, rows, actor: toActor(ctx), ...tools } }),
    )
  })
}

/**
 * A call within the selected location. A location outside the organisation, or one the user may not see, is refused
 * (behaviour B-065).
 */
export function inLocation(access: ProcedureMeta['access'], policy: CallPolicyName, rest?: RestMeta) {
  return inSelection({ access, scope: 'location', policy, rest }).use(({ ctx, next }) => {
    const locationId = requireLocation(ctx)
    return ctx.inTransaction(async (tx) => {
      const [found] = await tx.select({ id: locations.id }).from(locations).where(eq(locations.id, locationId))
      if (!found) throw asTrpc(forbidden())
      return throwFailure(await next({ ctx: { locationId, ...buildToolsWithin(tx, ctx) } }))
    })
  })
}

/** A call within the selected budget, which must be one of the selected location. */
export function inBudget(access: ProcedureMeta['access'], policy: CallPolicyName, rest?: RestMeta) {
  return inSelection({ access, scope: 'budget', policy, rest }).use(({ ctx, next, type }) => {
    const locationId = requireLocation(ctx)
    const { budgetId } = ctx.selection
    if (budgetId === null) throw createMissingHeaderError('BudgetId')
    return ctx.inTransaction(async (tx) => {
      const found = await findSelectedBudget(tx, { organisationId: ctx.organisationId, locationId, budgetId })
      if (!found) throw asTrpc(forbidden())
      // A budget that a worker is still filling refuses changes from every interface.
      if (type === 'mutation' && found.making) throw asTrpc(found.making)
      return throwFailure(await next({ ctx: { locationId, budgetId, budget: found.budget, ...buildToolsWithin(tx, ctx) } }))
    })
  })
}

/** The selected location. @throws TRPCError 400 without one; 403 for one that the user may not see */
function requireLocation({ selection, holder }: Pick<CallContext, 'selection'> & { holder: CallerRights }): LocationId {
  const { locationId } = selection
  if (locationId === null) throw createMissingHeaderError('LocationId')
  if (holder.locationIds && !holder.locationIds.includes(locationId)) throw asTrpc(forbidden())
  return locationId
}

/** Returns the result of a call, or throws its error, so that a read-only transaction can be retried on this or another database. */
function throwFailure<R extends { ok: true } | { ok: false; error: Error }>(result: R): R {
  if (!result.ok) throw result.error
  return result
}

/** Builds the tools for a call that continues in the transaction of its permission check. */
function buildToolsWithin(tx: OrganisationTx, { services, organisationId }: { services: Services; organisationId: OrganisationId }) {
  const inTransaction: CallTools['inTransaction'] = (work) => work(tx)
  return { inTransaction, services: { ...services, store: openStoreWithin(tx, services.store, organisationId) } }
}

export function isFile(value: unknown): value is FileReply<string | Buffer> {
  return typeof value === 'object' && value !== null && 'fileName' in value && 'contentType' in value && 'body' in value
}

/**
 * A call on a list with both national rows and an organisation's own. An administrator works on the platform and sees
 * the selected organisation's rows; everyone else works within their organisation.
 */
export function inOrganisationOrGlobal(access: ProcedureMeta['access'], policy: CallPolicyName, rest?: RestMeta) {
  return selectedOrGlobal({ access, scope: 'organisation', policy, rest }, false)
}

/**
 * A call about how a national row is used. An administrator sees every organisation; everyone else the selected one.
 */
export function inOneOrEveryOrganisation(access: ProcedureMeta['access'], policy: CallPolicyName, rest?: RestMeta) {
  return selectedOrGlobal({ access, scope: 'organisation', policy, rest }, true)
}

function selectedOrGlobal(meta: ProcedureMeta, every: boolean) {
  const { access } = meta
  return callProcedure.meta(meta).use(({ ctx, next, ...call }) => {
    const { organisationId } = ctx.selection
    const holder = checkCallAccess({ access, scope: 'organisation' }, ctx)
    const { isAdministrator, locationIds } = holder
    const rows: RowScope = { organisationId: isAdministrator && every ? null : organisationId, locationIds, isAdministrator }
    const { store } = ctx.services
    const open: TransactionScope['open'] = (work, purpose) =>
      isAdministrator
        ? store.asPlatform(work, purpose, getCapacityShareName(ctx))
        : store.inOrganisation(assertDefined(organisationId), work, purpose)
    return runInOneTransaction({ ctx, ...call }, { organisationId: isAdministrator ? null : organisationId, open }, (tools) =>
      next({ ctx: { holder, rows, actor: toActor(ctx), ...tools } }),
    )
  })
}
