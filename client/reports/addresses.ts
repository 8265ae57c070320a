/** Where the sets of comparators are. */
export const comparatorsPath = '/console/comparators'
