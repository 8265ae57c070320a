import { Fragment, type ReactNode } from 'react'
import type { RowWindow } from './useRowWindow.ts'

/** The drawn rows of a long table, and room where the others are. */
export function WindowedRows({
  drawn,
  count,
  rowHeight,
  children,
}: {
  drawn: RowWindow
  count: number
  rowHeight: number
  children: (index: number) => ReactNode
}) {
  const room = (rows: number) => rows > 0 && <tr aria-hidden style={{ height: rows * rowHeight }} />
  return (
    <>
      {drawn.rows.map((index, at) => (
        <Fragment key={index}>
          {room(index - (drawn.rows[at - 1] ?? -1) - 1)}
          {children(index)}
        </Fragment>
      ))}
      {room(count - (drawn.rows.at(-1) ?? -1) - 1)}
    </>
  )
}
