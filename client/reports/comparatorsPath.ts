/** The list of comparator sets. */
export const comparatorsPath = '/console/comparators'
