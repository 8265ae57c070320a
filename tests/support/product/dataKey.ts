/** The secret that encrypts the keys in test databases. */
export const testDataKey = 'the secret that seals the keys of tests'
