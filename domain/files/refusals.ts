import { assertDefined } from '../values/assertDefined.ts'
import { displayCount } from '../values/format.ts'
import { DomainError } from '../words/errors.ts'
import type { CellProblem } from './texts.ts'

/** The error for a refused import, which saved nothing. Row 1 is the first row below the headings (behaviour B-140). */
export function createRefusedImportError(errors: CellProblem[], total?: number): DomainError {
  const rows = new Set(errors.map((error) => error.row)).size
  const message =
    errors.length === 1 && assertDefined(errors[0]).row === 0
      ? assertDefined(errors[0]).message
      : `${rows} of ${displayCount(total ?? rows, 'row')} ${rows === 1 ? 'has a problem' : 'have problems'}. Nothing was imported.`
  return new DomainError('invalid', 'import', message, { details: { imported: 0, errors: errors.slice(0, 5000) } })
}

/** The error for a file that is refused as a whole, before any row is read. */
export function createWholeFileError(message: string): DomainError {
  return createRefusedImportError([{ row: 0, column: null, value: null, message }])
}
