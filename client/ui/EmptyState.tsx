import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Empty.module.css'

/** Shown when there is nothing to list: says so, and what to do. */
export function EmptyState({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.empty, className)} />
}
