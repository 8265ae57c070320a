import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Stack.module.css'

/** Parts of a page below each other. */
export function Stack({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.stack, className)} />
}
