/** Whether it looks like the id of something of a budget: an address that was typed may hold anything. */
export const isMongoId = (id: string | null | undefined): id is string => Boolean(id && /^[0-9a-f]{24}$/.test(id))
