/** The path of the list of comparator sets. */
export const comparatorsPath = '/console/comparators'
