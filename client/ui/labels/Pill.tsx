import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Pill.module.css'

/** The state of something, or how many there are, beside its name. */
export function Pill({ tone, className, ...rest }: ComponentProps<'span'> & { tone?: 'good' | 'warn' | 'bad' }) {
  return <span {...rest} className={clsx(classes.pill, tone && classes[tone], className)} />
}
