import { type AnyResource, allOperations, type ResourceOperation } from '../../domain/resources/resource.ts'
import { isOneOf } from '../../domain/values/keysOf.ts'
import { type ProcedureMeta, router } from '../core/calls/procedures.ts'
import { listPickerPermissions } from './pick.ts'
import { buildProcedures, createRestByOperation, type ProcedureScope } from './procedures.ts'

/**
 * The router of a resource: its nine operations, pickers and history, each with its permission check. `own` has the procedures that are
 * limited to the organisation's own records, if the resource has them.
 */
export function createResourceRouter(resource: AnyResource) {
  const { read, alsoReadBy = [], listedByAll, write, bulk = [] } = resource.access
  const kind: ProcedureScope =
    write === 'administrator'
      ? 'global'
      : resource.scope === 'globalOrOrganisation'
        ? 'both'
        : resource.scope === 'global'
          ? 'global'
          : 'organisation'
  const open = (gate: readonly (typeof read)[number][]): ProcedureMeta['access'] => (gate.length ? gate : 'signedIn')
  const writing: ProcedureMeta['access'] = write === 'administrator' ? 'administrator' : write
  const all = buildProcedures(resource, {
    access: {
      read: open(read),
      list: listedByAll ? 'signedIn' : open([...read, ...alsoReadBy]),
      pick: open(listPickerPermissions(resource)),
      write: writing,
      bulk: typeof writing === 'string' ? writing : [...writing, ...bulk],
    },
    rest: createRestByOperation(resource.path, resource, resource.operations ?? allOperations),
    kind,
  })
  if (!resource.own) return router(all)
  const { own } = resource
  const ownProcedures = buildProcedures(resource, {
    access: { read: own.read, list: own.read, pick: own.read, write: own.write, bulk: own.write },
    rest: createRestByOperation(own.path, resource, own.operations),
    kind: 'organisation',
    own: true,
  })
  // An organisation's own path has no procedures for the operations it does not offer: only administrators create,
  // delete and import organisations.
  const withheld = allOperations.filter((operation): operation is ResourceOperation => !own.operations.includes(operation))
  const offered = Object.fromEntries(Object.entries(ownProcedures).filter(([name]) => !isOneOf(withheld, name)))
  // The client's types list every operation, but its screens call only those that the declaration has.
  return router({ ...all, own: router(offered as typeof ownProcedures) })
}
