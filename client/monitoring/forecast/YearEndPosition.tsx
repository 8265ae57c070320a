import clsx from 'clsx'
import type { ForecastOutturn } from '../../../domain/monitoring/forecastOutturn.ts'
import { displayMoney } from '../../../domain/values/format.ts'
import textStyles from '../../ui/labels/text.module.css'

/**
 * The year-end position with the values that the user has typed.
 * @param budget whole pennies, full year
 */
export function YearEndPosition({ outcome, budget, isTyped }: { outcome: ForecastOutturn; budget: number; isTyped: boolean }) {
  const { forecast, variance } = outcome
  return (
    <p role="status" aria-label="Year-end position" style={{ margin: 0 }}>
      {isTyped ? 'With these figures, the year ends at ' : 'The year ends at '}
      <b>{displayMoney(forecast)}</b> against a budget of {displayMoney(budget)}
      {variance !== 0 && (
        <>
          {': '}
          <b className={clsx(variance < 0 ? textStyles.up : textStyles.down)}>{displayMoney(Math.abs(variance))}</b>{' '}
          {variance < 0 ? 'adverse' : 'favourable'}
        </>
      )}
      .
    </p>
  )
}
