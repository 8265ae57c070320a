/** The secret with which tests seal the keys in their databases. */
export const testDataKey = 'the secret that seals the keys of tests'
