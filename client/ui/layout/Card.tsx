import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Card.module.css'

/** A part of a page on a ground of its own. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={clsx(classes.card, className)} />
}

/** What a card is about, with what can be done with all of it. */
export function CardHead({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.cardHead, className)} />
}

/** What a card holds, when it does not reach to its edges. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.cardBody, className)} />
}

/** What is said beside the name of a card. */
export function Note({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={clsx(classes.note, className)} />
}
