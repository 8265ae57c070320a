import { afterAll } from 'vitest'

const endings: (() => unknown)[] = []

/** Ends with the test file what was started for it, wherever in the file that was: in a hook or in a test too, where `afterAll` is not heard. */
export function atEnd(end: () => unknown): void {
  endings.push(end)
}

/** Said once for each test file. The last that was started ends first. */
export function endAllWithFile(): void {
  afterAll(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })
}
