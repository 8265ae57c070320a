import { DomainError } from '../../domain/errors.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import type { Values } from '../../domain/resources/schema.ts'
import { defaultTerms } from '../../domain/terms.ts'
import { announceRequired } from '../announce.ts'
import type { OrganisationTx } from '../store/database.ts'
import type { Actor } from '../store/eventLog.ts'
import { markRequired } from '../store/groupStore.ts'
import type { RowScope } from '../store/rowRules.ts'
import type { Services } from '../trpc/context.ts'

export interface Call {
  inTransaction<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  services: Services
  rows: RowScope
  actor: Actor
}

/** Runs a change and marks the budget groups whose figures depend on it. */
export async function change<T>(
  call: Call,
  resource: AnyResource,
  work: (tx: OrganisationTx) => Promise<{ result: T; changed: AnyRecord[] }>,
): Promise<T> {
  const { result, required } = await call.inTransaction(async (tx) => {
    const { result, changed } = await work(tx)
    return { result, required: await markRequired(tx, resource, changed, defaultTerms[resource.key].plural, call.actor.now) }
  })
  await announceRequired(call.services, required)
  return result
}

/** What a patch changes. @throws DomainError 400 for an op other than replace or a path that is no field (behaviour B-106) */
export function patched(resource: AnyResource, patch: { op: string; path: string; value: unknown }[], hidden: readonly string[]): Values {
  return Object.fromEntries(
    patch.map(({ op, path, value }) => {
      if (op !== 'replace') throw new DomainError('invalid', 'patchOp', 'Only replace is supported.')
      const name = path.replace(/^\//, '')
      if (!resource.fields[name] || hidden.includes(name) || name === 'organisationId')
        throw new DomainError('invalid', 'patchOp', `${name || 'The path'} is not a field that can be changed.`)
      return [name, value]
    }),
  )
}
