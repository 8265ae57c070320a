/** Whether text has the form of a budget item's id. A URL that a user typed can contain any text. */
export const isMongoId = (id: string | null | undefined): id is string => Boolean(id && /^[0-9a-f]{24}$/.test(id))
