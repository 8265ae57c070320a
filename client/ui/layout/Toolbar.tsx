import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Tools.module.css'

/**
 * The toolbar above a list or table.
 * @param oneLine on a phone, the tools stay on one line that scrolls sideways, leaving the height to the list
 */
export function Toolbar({ className, oneLine = false, ...rest }: ComponentProps<'div'> & { oneLine?: boolean }) {
  return <div {...rest} className={clsx(classes.tools, oneLine && classes.oneLine, className)} />
}
