import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Stack.module.css'

/** Sections of a page, stacked. */
export function SectionStack({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.stack, className)} />
}
