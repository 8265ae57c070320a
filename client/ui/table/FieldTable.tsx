import clsx from 'clsx'
import type { CSSProperties, ReactNode } from 'react'
import classes from './DataTable.module.css'

interface Heading {
  label: ReactNode
  isFigure?: boolean | undefined
  /** The heading's text for screen readers, if the heading shows no words. */
  name?: string
  title?: string | undefined
  style?: CSSProperties
}

/**
 * A small table of fields, whose rows are `<tr>` elements that keep the text in their fields. Sheets that people type through use AG Grid
 * instead.
 */
export function FieldTable({
  headings,
  label,
  minWidth,
  maxHeight,
  className,
  children,
}: {
  /** Undefined for a table without headings. */
  headings?: readonly Heading[]
  label?: string
  /** Pixels; a narrower table scrolls sideways. */
  minWidth?: number
  /** Pixels; the rows of a higher table scroll. */
  maxHeight?: number
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div className={classes.scroll} style={{ maxHeight }}>
      <table
        aria-label={label}
        className={clsx(classes.table, classes.fields, maxHeight !== undefined && classes.stickyHead, className)}
        style={{ minWidth }}
      >
        {headings && (
          <thead>
            <tr>
              {headings.map(({ label: shownLabel, isFigure, name, title, style }, index) => (
                <th key={index} scope="col" data-figure={isFigure || undefined} aria-label={name} title={title} style={style}>
                  {shownLabel}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
