/** The browser client of the product; it is ours, so it needs no consent. */
export const browserClientId = 'bursar'
