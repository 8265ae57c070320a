import { describe, expect, it } from 'vitest'
import type { Meta } from '../../server/core/calls/procedures.ts'
import { appRouter } from '../../server/features/appRouter.ts'

/** Every procedure, its place in REST and who may call it: a change of the surface shows in review. */
const surface = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string; meta?: Meta } }>)
  .map(([name, procedure]) => {
    const meta = procedure._def.meta
    const access = meta && (typeof meta.access === 'string' ? meta.access : [...meta.access].sort().join(' | '))
    return `${procedure._def.type} ${name} · ${meta?.rest ? `${meta.rest.method} ${meta.rest.path}` : 'browser only'} · ${access}`
  })
  .sort()

describe('the surface of the server', () => {
  it('B-270 names for every procedure who may call it', () => {
    expect(surface.filter((line) => line.endsWith('undefined'))).toEqual([])
  })
  it('is what was last agreed', () => {
    expect(surface.join('\n')).toMatchSnapshot()
  })
})
