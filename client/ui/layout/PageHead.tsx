import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useContext, useEffect } from 'react'
import { IsInSidePanelContext } from '../sidePanelContext.ts'
import { TitleEndContext } from '../titleEndContext.ts'
import classes from './PageHead.module.css'

/**
 * The header of a page: title, state pills, actions on the right and a line of facts below. Sets the document title.
 * @param oneLine on a phone, the actions stay on one line that scrolls sideways
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
  const titleEnd = useContext(TitleEndContext)
  const fullTitle = `${documentTitle ?? title}${titleEnd}`
  const isBeside = useContext(IsInSidePanelContext)
  const Heading = isBeside ? 'h2' : 'h1'
  useEffect(() => {
    if (!isBeside) document.title = fullTitle
  }, [fullTitle, isBeside])
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
