import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Split.module.css'

/** Two parts of a page side by side, the first the wider one; below each other where there is no room. */
export function Split({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.split, className)} />
}
