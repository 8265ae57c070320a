import type { UnusedRow } from '../../domain/reports/measures/comparatorFile.ts'
import { displayCount } from '../../domain/values/format.ts'
import classes from './Comparators.module.css'

/** Lists the rows of a file that were not used, with the reasons. */
export function UnusedRows({ rows }: { rows: readonly UnusedRow[] }) {
  if (!rows.length) return null
  return (
    <details className={classes.part}>
      <summary>{displayCount(rows.length, 'row')} of the file not used</summary>
      <ul className={classes.unused}>
        {rows.map(({ row, text, why }, index) => (
          <li key={index}>
            Row {row}, {text}: {why}
          </li>
        ))}
      </ul>
    </details>
  )
}
