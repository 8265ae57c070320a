/**
 * How many times as long as usual tests wait for what must come about. Where changes are checked, a machine may do other work beside: what is
 * slow there is not broken.
 */
export const patience = process.env.CI ? 3 : 1
