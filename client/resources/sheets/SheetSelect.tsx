import { Select } from '@mantine/core'
import type { Sheet } from './readSheets.ts'

/** The sheet of a workbook that is read; nothing where there is only one. */
export function SheetSelect({ sheets, sheet, onSheet }: { sheets: readonly Sheet[]; sheet: number; onSheet: (sheet: number) => void }) {
  if (sheets.length < 2) return null
  return (
    <Select
      label="Sheet"
      allowDeselect={false}
      data={sheets.map((one, index) => ({ value: String(index), label: one.name }))}
      value={String(sheet)}
      onChange={(value) => value && onSheet(Number(value))}
    />
  )
}
