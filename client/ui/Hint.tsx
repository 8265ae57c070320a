import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './text.module.css'

/** A key beside what it does, in a button. */
export function Hint({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={clsx(classes.hint, className)} />
}
