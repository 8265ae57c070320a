import { readFileSync } from 'node:fs'
import { costCase } from '../../domain/calculation/case.ts'

/** `npm run -s cost -- FILE…`: employees in the golden-case format in, the same JSON with `expect` filled in out. `-` reads standard input. */
const files = process.argv.slice(2)
if (!files.length) {
  console.error('Name one or more files to cost, or - for standard input.')
  process.exit(2)
}
let failed = false
for (const file of files) {
  try {
    const given = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
    console.log(JSON.stringify({ ...given, expect: costCase(given) }, null, 2))
  } catch (error) {
    failed = true
    console.error(`${file} cannot be costed: ${error instanceof Error ? error.message : error}`)
  }
}
process.exit(failed ? 1 : 0)
