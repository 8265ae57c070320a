/**
 * JSON with sorted keys and no spaces, so that equal values have equal text: what hashes are taken of. A missing property and `undefined`
 * are the same.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      break
    default:
      return JSON.stringify(value) ?? 'null'
  }
  if (value === null) return 'null'
  if (Array.isArray(value)) return hasOnlyScalars(value) ? JSON.stringify(value) : listText(value)
  let text = ''
  for (const key of Object.keys(value).sort()) {
    // It is a key of this very value.
    const one = (value as Record<string, unknown>)[key]
    if (one !== undefined) text += `${text && ','}${keyText(key)}${canonicalJson(one)}`
  }
  return `{${text}}`
}

function listText(values: readonly unknown[]): string {
  let text = ''
  for (const [index, one] of values.entries()) text += `${index ? ',' : ''}${canonicalJson(one)}`
  return `[${text}]`
}

/** Nothing in it has keys to be sorted: months of figures are most of what is hashed. */
function hasOnlyScalars(values: readonly unknown[]): boolean {
  return values.every((one) => one === null || typeof one !== 'object')
}

/** Keys as they stand in JSON: the same few come thousands of times. Ids can be keys too, so there is an end to what is kept. */
const keyTexts = new Map<string, string>()
const maxKeyTexts = 2000

function keyText(key: string): string {
  const cached = keyTexts.get(key)
  if (cached !== undefined) return cached
  const text = `${JSON.stringify(key)}:`
  if (keyTexts.size < maxKeyTexts) keyTexts.set(key, text)
  return text
}
