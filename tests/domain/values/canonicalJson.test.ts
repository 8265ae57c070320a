import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'

/** The same value with sorted keys and without what JSON leaves out. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, inOrder(one)]),
  )
}

/** Prefixes every key with a letter, because JavaScript moves keys that look like numbers to the front. */
function lettered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lettered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [`k${key}`, lettered(one)]))
}

it('the text for hashing is JSON with its keys in order, whatever the value', () => {
  const part = fc.oneof(fc.double(), fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null), fc.constant(undefined))
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      part,
      fc.array(tie('value')),
      fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { noNullPrototype: true }),
    ),
  })).value
  fc.assert(
    fc.property(anything.map(lettered), (value) => canonicalJson(value) === (JSON.stringify(inOrder(value)) ?? 'null')),
    { numRuns: 50 },
  )
})

it('keys in another order give the same text, and keys that look like numbers are sorted as text', () => {
  expect(canonicalJson({ b: 1, a: [-0, Number.NaN, { y: undefined, x: 'é"\n' }] })).toBe('{"a":[0,null,{"x":"é\\"\\n"}],"b":1}')
  expect(canonicalJson({ 10: 1, 9: 2, a: undefined })).toBe('{"10":1,"9":2}')
})
