/** A factor for all time limits of tests. In continuous integration the machine may do other work, and slow does not mean broken. */
export const patience = process.env.CI ? 3 : 1
