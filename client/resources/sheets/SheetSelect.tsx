import type { Sheet } from '../../../domain/files/sheets.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { CardNote } from '../../ui/layout/Card.tsx'

/** Chooses a sheet if a workbook has several, and names the hidden rows of the sheet. */
export function WorkbookSheetSelect({
  sheets,
  sheet,
  onSheet,
}: {
  sheets: readonly Sheet[]
  sheet: number
  onSheet: (sheet: number) => void
}) {
  const { name, isHidden, hiddenRows } = assertDefined(sheets[sheet])
  return (
    <>
      {sheets.length > 1 && (
        <Choice
          label="Sheet"
          data={sheets.map((one, index) => ({ value: String(index), label: one.isHidden ? `${one.name} (hidden)` : one.name }))}
          value={String(sheet)}
          onChange={(value) => value && onSheet(Number(value))}
        />
      )}
      {isHidden && <CardNote>The sheet “{name}” is hidden in the workbook. Choose another one if this is not the right one.</CardNote>}
      {hiddenRows > 0 && (
        <CardNote>
          {displayCount(hiddenRows, 'row')} of the sheet {hiddenRows === 1 ? 'is' : 'are'} hidden in the workbook, for example by a filter,
          and {hiddenRows === 1 ? 'is' : 'are'} read too.
        </CardNote>
      )}
    </>
  )
}
