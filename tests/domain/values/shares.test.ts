import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../domain/words/errors.ts'
import { createFairLimiter, type FairLimiter } from '../../../server/core/shares.ts'

const open = (limits: Partial<Parameters<typeof createFairLimiter>[0]> = {}): FairLimiter =>
  createFairLimiter({ most: 3, each: 2, mostWaiting: 2, longestWaitMs: 60_000, sentence: 'Try again in a moment.', ...limits })

/** Tasks that run until the test ends them; each adds its name to a list when it starts. */
function workIn(shares: FairLimiter, begun: string[]) {
  const ends = new Map<string, () => void>()
  return {
    ask: (holder: string, name: string, signal?: AbortSignal) =>
      shares.turn(
        holder,
        () => {
          begun.push(name)
          return new Promise<void>((done) => ends.set(name, done))
        },
        signal,
      ),
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise((done) => setImmediate(done))
    },
  }
}

describe('a server’s capacity for long work', () => {
  it('is left to another organisation when one has used its share', async () => {
    const begun: string[] = []
    const { ask, end } = workIn(open(), begun)
    const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')]
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(begun).not.toContain('a3')
    await end('a1')
    expect(begun.at(-1)).toBe('a3')
    for (const name of ['a2', 'a3']) await end(name)
    await Promise.all(all)
  })

  it('is given to organisations in turn, so that a heavy user waits behind their own work', async () => {
    const begun: string[] = []
    const { ask, end } = workIn(open({ most: 1, each: 1, mostWaiting: 9 }), begun)
    const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1')]
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3', 'b1', 'c1', 'a2', 'a3']) await end(name)
    await Promise.all(all)
    expect(begun.indexOf('b1')).toBeLessThan(begun.indexOf('a3'))
    expect(begun.indexOf('c1')).toBeLessThan(begun.indexOf('a3'))
  })

  it('is refused when too many wait already, with the time after which to retry; others are not', async () => {
    const begun: string[] = []
    const { ask, end } = workIn(open({ each: 1 }), begun)
    const all = ['a1', 'a2', 'a3'].map((name) => ask('a', name))
    const refusal = await ask('a', 'a4').catch((error) => error)
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal).toMatchObject({ kind: 'unavailable', message: 'Try again in a moment.', details: { seconds: 5 } })
    const theirs = ask('b', 'b1')
    expect(begun).toEqual(['a1', 'b1'])
    for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name)
    await Promise.all([...all, theirs])
  })

  it('is not used for a caller who has disconnected, who does not hold up the next', async () => {
    const begun: string[] = []
    const { ask, end } = workIn(open({ each: 1 }), begun)
    const gone = new AbortController()
    const first = ask('a', 'a1')
    const left = ask('a', 'a2', gone.signal).catch((error) => error.name)
    const last = ask('a', 'a3')
    gone.abort()
    expect(await left).toBe('AbortError')
    await end('a1')
    expect(begun).toEqual(['a1', 'a3'])
    await end('a3')
    await Promise.all([first, last])
  })

  it('continues after work that failed', async () => {
    const shares = open({ most: 1, each: 1 })
    await expect(shares.turn('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await shares.turn('a', async () => 'done')).toBe('done')
    expect(shares.load()).toEqual({ running: 0, waiting: 0 })
  })
})
