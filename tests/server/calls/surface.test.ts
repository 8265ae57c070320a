import { describe, expect, it } from 'vitest'
import { listQueriesForCall } from '../../../domain/changes/live.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type CallPolicy, callPolicies, getCallPolicy } from '../../../server/core/calls/policies.ts'
import { inOrganisation, type ProcedureMeta } from '../../../server/core/calls/procedures.ts'
import { listRestAddresses, type RestAddress } from '../../../server/core/calls/restMeta.ts'
import { appRouter } from '../../../server/features/appRouter.ts'

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string; meta?: ProcedureMeta } }>)

/** Every procedure at each of its addresses, with its permissions and policy, so that each change of the API is visible in review. */
const surface = procedures
  .flatMap(([name, { _def }]) => {
    const line = (rest?: RestAddress): string => {
      const access = rest?.access ?? _def.meta?.access
      const who = typeof access === 'object' ? [...access].sort().join(' | ') : access
      return `${_def.type} ${name} · ${rest ? `${rest.method} ${rest.path}` : 'browser only'} · ${who} · ${_def.meta?.policy}`
    }
    const addresses = listRestAddresses(_def.meta?.rest)
    return addresses.length ? addresses.map(line) : [line()]
  })
  .sort()

describe('the surface of the server', () => {
  it('has no procedure without a policy: it does not compile', () => {
    // @ts-expect-error the policy is missing
    inOrganisation('signedIn', { method: 'GET', path: '/api/x' })
    // @ts-expect-error there is no such policy
    inOrganisation('signedIn', 'quick')
    expect(Object.keys(callPolicies)).toContain('short')
  })
  it('B-270 states for every procedure who may call it', () => {
    expect(surface.filter((line) => line.endsWith('undefined'))).toEqual([])
  })
  it('states for every mutation what a page reloads afterwards', () => {
    const changing = procedures.filter(([, procedure]) => procedure._def.type === 'mutation').map(([name]) => name)
    expect(changing.length).toBeGreaterThan(300)
    for (const name of changing) expect(listQueriesForCall(name), name).toBeDefined()
  })
  it('states for every change of users, API clients and what gives them rights that it changes rights', () => {
    const changing = procedures.filter(
      ([name, { _def }]) =>
        _def.type === 'mutation' && /^(users|apiClients|account\.end\w+|resources\.(userGroup|organisation))\b/.test(name),
    )
    expect(changing.length).toBeGreaterThan(40)
    const policyOf = (meta: ProcedureMeta | undefined): CallPolicy => getCallPolicy(assertDefined(meta).policy)
    expect(changing.filter(([, { _def }]) => !policyOf(_def.meta).changesRights).map(([name]) => name)).toEqual([])
  })
  it('is the recorded one', () => {
    expect(surface.join('\n')).toMatchSnapshot()
  })
})
