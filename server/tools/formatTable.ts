import { assertDefined } from '../../domain/values/assertDefined.ts'
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)))
  const isFigure = heads.map(
    (_head, column) => rows.length > 0 && rows.every((row) => /^[−-]?[\d,.]*$|^not calculated$/.test(row[column] ?? '')),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (isFigure[column] ? cell.padStart(assertDefined(widths[column])) : cell.padEnd(assertDefined(widths[column]))))
      .join('  ')
      .trimEnd()
  return [line(heads), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
