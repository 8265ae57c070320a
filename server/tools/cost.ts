import { readFileSync } from 'node:fs'
import { costCase } from '../../domain/calculation/staffing/case.ts'
import { readCase } from '../../domain/calculation/staffing/readCase.ts'
import { errorMessage } from '../../domain/words/errors.ts'

/** `npm run -s cost -- FILE…`: employees in the golden-case format in, the same JSON with `expect` filled in out. `-` reads standard input. */
const files = process.argv.slice(2)
if (!files.length) {
  console.error('Name one or more files to cost, or - for standard input.')
  process.exit(2)
}

/** A file holds one case or a list of them; the reply has the same shape. */
function costed(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(costed)
  return { ...Object(given), expect: costCase(readCase(given)) }
}

let failed = false
for (const file of files) {
  try {
    console.log(JSON.stringify(costed(JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))), null, 2))
  } catch (error) {
    failed = true
    console.error(`${file} cannot be costed: ${error instanceof SyntaxError ? 'it is not JSON.' : errorMessage(error)}`)
  }
}
// Not process.exit: what a slow reader of a pipe has not taken yet would be lost.
process.exitCode = failed ? 1 : 0
