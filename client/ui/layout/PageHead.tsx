import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useContext, useEffect } from 'react'
import { IsBeside } from '../beside.ts'
import classes from './PageHead.module.css'

/**
 * Title with its state as pills, the main action right, a line of facts under it; sets the document's title.
 * @param oneLine on a phone the actions stay one line, to be moved sideways
 */
export function PageHead({
  title,
  documentTitle,
  pills,
  facts,
  oneLine = false,
  children,
}: {
  title: string
  documentTitle?: string
  pills?: ReactNode
  facts?: ReactNode
  oneLine?: boolean
  children?: ReactNode
}) {
  const whole = documentTitle ?? title
  const isBeside = useContext(IsBeside)
  const Heading = isBeside ? 'h2' : 'h1'
  useEffect(() => {
    if (!isBeside) document.title = whole
  }, [whole, isBeside])
  return (
    <div className={classes.pageHead} data-page-head>
      <div>
        <div style={{ display: 'flex', gap: 10, alignItems: 'center', flexWrap: 'wrap' }}>
          <Heading>{title}</Heading>
          {pills}
        </div>
        {facts && <div className={classes.facts}>{facts}</div>}
      </div>
      {children && <div className={clsx(classes.actions, oneLine && classes.oneLine)}>{children}</div>}
    </div>
  )
}
