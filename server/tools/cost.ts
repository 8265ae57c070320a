import { readFileSync } from 'node:fs'
import { costCase } from '../../domain/calculation/staffing/case.ts'
import { readCase } from '../../domain/calculation/staffing/readCase.ts'
import { getErrorMessage } from '../../domain/words/errors.ts'

/**
 * `npm run -s cost -- FILE…`: reads employees in the format of the golden cases and prints the same JSON with `expect` filled in. `-` reads
 * standard input.
 */
const files = process.argv.slice(2)
if (!files.length) {
  console.error('Give one or more files to cost, or - for standard input.')
  process.exit(2)
}

function costCases(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(costCases)
  return { ...Object(input), expect: costCase(readCase(input)) }
}

let failed = false
for (const file of files) {
  try {
    console.log(JSON.stringify(costCases(JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))), null, 2))
  } catch (error) {
    failed = true
    console.error(`${file} cannot be costed: ${error instanceof SyntaxError ? 'it is not JSON.' : getErrorMessage(error)}`)
  }
}
// Do not call process.exit: it would lose output that a slow reader of the pipe has not read yet.
process.exitCode = failed ? 1 : 0
