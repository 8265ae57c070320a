/** Where packs are listed; each has its code below it. */
export const packsPath = '/console/packs'
