import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Tools.module.css'

/**
 * What is done with a list or a table, in a row above it.
 * @param oneLine on a phone they stay one line, to be moved sideways, and leave the height to what they are about
 */
export function Tools({ className, oneLine = false, ...rest }: ComponentProps<'div'> & { oneLine?: boolean }) {
  return <div {...rest} className={clsx(classes.tools, oneLine && classes.oneLine, className)} />
}
