import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Tools.module.css'

/** What is done with a list or a table, in a row above it. */
export function Tools({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.tools, className)} />
}
