/**
 * JSON with sorted keys and no spaces, so that equal values have equal text: what hashes are taken of. A missing property and `undefined`
 * are the same.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return isPlain(value) ? JSON.stringify(value) : `[${value.map(canonicalJson).join(',')}]`
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const one = (value as Record<string, unknown>)[key]
    if (one !== undefined) text += `${text && ','}${JSON.stringify(key)}:${canonicalJson(one)}`
  }
  return `{${text}}`
}

/** Nothing in it has keys to be sorted: months of figures are most of what is hashed. */
function isPlain(values: readonly unknown[]): boolean {
  return values.every((one) => one === null || typeof one !== 'object')
}
