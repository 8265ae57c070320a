/** Builds an id of 24 hexadecimal digits from random bytes, which the caller supplies. */
export function mongoIdFromBytes(bytes: Uint8Array): string {
  return [...bytes.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
