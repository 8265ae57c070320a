import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Pill.module.css'

/** A state or count beside a name. */
export function Pill({ tone, className, ...rest }: ComponentProps<'span'> & { tone?: 'good' | 'warn' | 'bad' }) {
  return <span {...rest} className={clsx(classes.pill, tone && classes[tone], className)} />
}
