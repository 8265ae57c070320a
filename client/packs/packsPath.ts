/** The list of packs; each pack's path adds its code. */
export const packsPath = '/console/packs'
