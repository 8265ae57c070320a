import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Chip.module.css'

/** A short label, usually one of several in a row. */
export function Chip({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={clsx(classes.chip, className)} />
}
