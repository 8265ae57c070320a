import type { ReactNode } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import type { RouterOutputs } from '../shell/api.ts'
import classes from './HeadlineFigures.module.css'

/** An amount without its sign, in whole pounds; the title has the exact amount. */
function Figure({ pounds }: { pounds: number }) {
  return <b title={displayMoney(toPennies(pounds))}>{displayWholePounds(toPennies(Math.abs(pounds)))}</b>
}

/**
 * The budget in one sentence: what the first year adds to or takes from the balance, and what is left after the last year. Renders nothing
 * if a figure that the sentence needs is missing.
 * @param years the names of the years
 */
export function BalanceSentence({
  overview,
  school,
  years,
}: {
  overview: RouterOutputs['overview']['summary']
  school: string
  years: readonly string[]
}) {
  const first = assertDefined(overview.years[0])
  const last = assertDefined(overview.years.at(-1))
  if (first.gaps.inYear) return null
  return (
    <p className={classes.sentence}>
      {school} {describeBalance(first.inYear, years[0])}
      {overview.hasOpening && !last.gaps.closing && leftOver(last.closing, years.at(-1))}.
    </p>
  )
}

function describeBalance(inYear: number, year: string | undefined): ReactNode {
  if (inYear === 0) return <>spends exactly what it receives in {year}</>
  if (inYear < 0)
    return (
      <>
        spends <Figure pounds={inYear} /> more than it receives in {year}
      </>
    )
  return (
    <>
      receives <Figure pounds={inYear} /> more than it spends in {year}
    </>
  )
}

function leftOver(closing: number, year: string | undefined): ReactNode {
  if (closing < 0)
    return (
      <>
        {' '}
        and is <Figure pounds={closing} /> short at the end of {year}
      </>
    )
  return (
    <>
      {' '}
      and has <Figure pounds={closing} /> left at the end of {year}
    </>
  )
}
