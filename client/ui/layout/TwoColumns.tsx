import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Split.module.css'

/** Two columns, the first wider; stacked if there is no room. */
export function TwoColumns({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.split, className)} />
}
