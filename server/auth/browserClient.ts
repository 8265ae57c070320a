/** Client id of the product's own browser client, which needs no consent page. */
export const browserClientId = 'bursar'
