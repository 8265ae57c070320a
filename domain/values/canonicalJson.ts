/** JSON with sorted keys and without spaces, so that equal values have equal text for hashing. `undefined` properties are left out. */
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
    // `Object.keys` returned the key, so the object has it.
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

/** Most of the hashed data are lists of figures. They have no keys to sort, so they take a faster path. */
function hasOnlyScalars(values: readonly unknown[]): boolean {
  return values.every((one) => one === null || typeof one !== 'object')
}

/** The JSON of object keys, cached because keys repeat thousands of times. The cache is bounded, because ids can also be keys. */
const keyTexts = new Map<string, string>()
const maxKeyTexts = 2000

function keyText(key: string): string {
  const cached = keyTexts.get(key)
  if (cached !== undefined) return cached
  const text = `${JSON.stringify(key)}:`
  if (keyTexts.size < maxKeyTexts) keyTexts.set(key, text)
  return text
}
