import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Chip.module.css'

/** A short word on a ground of its own, as one of several. */
export function Chip({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={clsx(classes.chip, className)} />
}
