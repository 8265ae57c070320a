import { afterAll } from 'vitest'

const endings: (() => unknown)[] = []

/** Registers something to be ended with the test file. Unlike `afterAll`, it works inside hooks and tests too. */
export function atEnd(end: () => unknown): void {
  endings.push(end)
}

/** Ends what was registered, in reverse order. Called once for each test file. */
export function endAllWithFile(): void {
  afterAll(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })
}
