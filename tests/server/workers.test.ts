import { expect, test } from 'vitest'
import { chooseWorkerCount } from '../../server/launch/workerCount.ts'

test('npm start runs as many workers as WORKERS says, and one or two by default', () => {
  expect(chooseWorkerCount('1')).toBe(1)
  expect(chooseWorkerCount('3')).toBe(3)
  for (const nothing of [undefined, '']) expect([1, 2]).toContain(chooseWorkerCount(nothing))
})

test.each(['0', '-1', '1.5', '17', 'two'])('WORKERS=%s is refused with the allowed values', (setting) => {
  expect(() => chooseWorkerCount(setting)).toThrow(`WORKERS is ${setting}. It must be a number from 1 to 16.`)
})
