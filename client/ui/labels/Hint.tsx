import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './text.module.css'

/** A keyboard shortcut inside a button, with a title that says so. */
export function Hint({ className, children, ...rest }: ComponentProps<'span'>) {
  return (
    <kbd title={`Press ${children} for this; ? lists all shortcuts`} {...rest} className={clsx(classes.hint, className)}>
      {children}
    </kbd>
  )
}
