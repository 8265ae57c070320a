/** The path of the list of packs. The path of a pack adds its code. */
export const packsPath = '/console/packs'
