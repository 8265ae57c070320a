import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './text.module.css'

/** A key beside what it does, in a button; who points at it is told that it is one. */
export function Hint({ className, children, ...rest }: ComponentProps<'span'>) {
  return (
    <kbd title={`Press ${children} for this; ? lists all keys`} {...rest} className={clsx(classes.hint, className)}>
      {children}
    </kbd>
  )
}
