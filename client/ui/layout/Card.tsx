import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Card.module.css'

/** A boxed section of a page. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={clsx(classes.card, className)} />
}

/** A card's heading with its actions. */
export function CardHead({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.cardHead, className)} />
}

/** The padded content of a card. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx(classes.cardBody, className)} />
}

/** A note beside a card's heading. */
export function CardNote({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={clsx(classes.note, className)} />
}
