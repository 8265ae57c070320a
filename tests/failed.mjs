// Which tests failed and why, one line each, out of the JSON reports of vitest and Playwright: a log is read from its end.
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const longest = 300

function line(place, message) {
  const words = stripVTControlCharacters(message ?? '')
    .split('\n')
    .map((part) => part.trim())
  const first = words.find((part) => part) ?? 'no message'
  return `FAILED ${place}: ${first}`.slice(0, longest)
}

/** @returns a line for each test of a vitest report that failed, and for each file that could not be run */
function ofVitest({ testResults = [] }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((one) => one.status === 'failed')
    if (!failed.length) return status === 'failed' ? [line(file, message)] : []
    return failed.map((one) => line(`${file} > ${one.fullName}`, one.failureMessages[0]))
  })
}

/** @returns a line for each journey of a Playwright report that failed, and for each error outside of one */
function ofPlaywright({ suites = [], errors = [] }) {
  const inSuite = (suite) => [
    ...(suite.specs ?? [])
      .filter((spec) => !spec.ok)
      .map((spec) => {
        const results = spec.tests.flatMap((test) => test.results)
        return line(`${spec.file} > ${spec.title}`, results.findLast((result) => result.error)?.error.message)
      }),
    ...(suite.suites ?? []).flatMap(inSuite),
  ]
  return [...suites.flatMap(inSuite), ...errors.map((error) => line('the browser tests', error.message))]
}

/** The failed tests of a report file. @returns a line that says so where there is no report */
export function failedTests(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return report.suites ? ofPlaywright(report) : ofVitest(report)
  } catch {
    return [line(file, 'ended without a report')]
  }
}

if (process.argv[1] === import.meta.filename) for (const one of process.argv.slice(2).flatMap(failedTests)) console.log(one)
