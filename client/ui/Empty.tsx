import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Empty.module.css'

/** Stands where there is nothing to show: what it is, and what to do. */
export function Empty({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.empty, className)} />
}
