/**
 * The whole address of a page of this product, for an address that came with a link.
 * @param origin of this product
 * @returns the home page if the address leads elsewhere or is not an address
 */
export function toOwnAddress(address: string | null, origin: string): string {
  const home = `${origin}/`
  if (address === null || !URL.canParse(address, home)) return home
  const url = new URL(address, home)
  return url.origin === origin ? url.href : home
}
