import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './text.module.css'

/** The key of a keyboard shortcut, shown inside its button, with an explanation on hover. */
export function ShortcutHint({ className, children, ...rest }: ComponentProps<'span'>) {
  return (
    <kbd title={`Press ${children} for this; ? lists all shortcuts`} {...rest} className={clsx(classes.hint, className)}>
      {children}
    </kbd>
  )
}
