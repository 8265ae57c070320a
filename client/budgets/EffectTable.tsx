import { Alert } from '@mantine/core'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { yearName } from '../../domain/values/calendar.ts'
import { displaySignedPounds, displayWholePounds } from '../../domain/values/format.ts'
import type { api } from '../shell/api.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, Note } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'

type Effect = Awaited<ReturnType<typeof api.budgetRound.effect.query>>

/** Pounds per year by which changed tables and assumptions would change the costs once recalculated. */
export function EffectTable({ effect, firstYear }: { effect: Effect; firstYear: number }) {
  const years = Math.max(effect.staffing.after.length, effect.staffing.before.length)
  const indices = Array.from({ length: years }, (_unused, index) => index)
  const row = (title: string, { before, after }: Effect['staffing']) => (
    <>
      <tr>
        <th scope="row">{title} now</th>
        {indices.map((index) => (
          <td key={index}>{before[index] === undefined ? '–' : displayWholePounds(before[index])}</td>
        ))}
      </tr>
      <tr>
        <th scope="row">{title} then</th>
        {indices.map((index) => (
          <td key={index}>{after[index] === undefined ? '–' : displayWholePounds(after[index])}</td>
        ))}
      </tr>
    </>
  )
  const change = (index: number): number | null => {
    const parts = [effect.staffing, effect.entries]
    if (parts.some(({ before, after }) => before[index] === undefined || after[index] === undefined)) return null
    return parts.reduce((sum, { before, after }) => sum + assertDefined(after[index]) - assertDefined(before[index]), 0)
  }
  return (
    <Card className={scrollStyles.scroll} aria-label="What would change">
      <CardHead>
        What would change <Note>when the budget is recalculated; nothing is saved yet</Note>
      </CardHead>
      {effect.notCalculated.after > effect.notCalculated.before && (
        <Alert color="orange" m="sm">
          {effect.notCalculated.after} contracts could not be calculated any more; now it is {effect.notCalculated.before}.
        </Alert>
      )}
      <Figures>
        <thead>
          <tr>
            <th scope="col" className={figuresStyles.text}>
              Pounds
            </th>
            {indices.map((index) => (
              <th key={index} scope="col">
                {yearName(firstYear, index)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row('Staff', effect.staffing)}
          {row('Entries, net cost', effect.entries)}
          <tr className={figuresStyles.total}>
            <th scope="row">Change</th>
            {indices.map((index) => {
              const pennies = change(index)
              return (
                <td key={index} className={pennies && pennies > 0 ? textStyles.up : pennies && pennies < 0 ? textStyles.down : undefined}>
                  {pennies === null ? 'not calculated' : displaySignedPounds(pennies)}
                </td>
              )
            })}
          </tr>
        </tbody>
      </Figures>
    </Card>
  )
}
