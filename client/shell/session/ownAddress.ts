/**
 * Converts the URL of a link to the absolute URL of a page of this product, so that no link can lead to another site.
 * @param origin of this product
 * @returns the home page if the URL leads to another site or is invalid
 */
export function toProductUrl(address: string | null, origin: string): string {
  const home = `${origin}/`
  if (address === null || !URL.canParse(address, home)) return home
  const url = new URL(address, home)
  return url.origin === origin ? url.href : home
}
