import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type Day, findBudgetBounds, formatBudgetYear, type IsoDate, toDay, toIsoDate } from '../../../domain/values/calendar.ts'
import { displayDate } from '../../../domain/values/format.ts'
import textStyles from '../../ui/labels/text.module.css'
import { useSelectedBudget } from '../useBudget.ts'
import classes from './Timeline.module.css'

/** A value that is in force from its date until the next value starts. */
export interface DatedValue {
  effectiveDate: IsoDate
  label: string
}

interface Period {
  index: number
  label: string
  from: Day
  to: Day
}

/** Finds the period within the budget in which each value is in force. A value that was replaced before the budget starts has no period. */
function findPeriods(dated: readonly DatedValue[], first: Day, last: Day): Period[] {
  return dated
    .map(({ effectiveDate, label }, index) => {
      const next = dated[index + 1]
      const [begin, end] = [toDay(effectiveDate), next ? toDay(next.effectiveDate) - 1 : last]
      return { index, label, from: Math.max(begin, first), to: Math.min(end, last) }
    })
    .filter((period) => period.from <= period.to)
}

/** A timeline of the tables in force over the budget's years. Choosing a period shows its table. */
export function DatedValuesTimeline({
  dated,
  chosen,
  onChoose,
  label,
  isOptional = false,
}: {
  /** The values in order of date. */
  dated: readonly DatedValue[]
  chosen: number
  onChoose?: (index: number) => void
  label: string
  /** Whether gaps are allowed, so that they are not marked as a problem. */
  isOptional?: boolean
}) {
  const budget = useSelectedBudget()
  const { first, last } = findBudgetBounds(budget.firstYear, budget.numberOfYears, budget.startMonth)
  const share = (days: number): string => `${((100 * days) / (last - first + 1)).toFixed(3)}%`
  const periods = findPeriods(dated, first, last)
  const gap = periods[0] ? periods[0].from - first : last - first + 1
  return (
    <section className={classes.timeline} data-timeline aria-label={label}>
      <div className={classes.years} aria-hidden="true">
        {Array.from({ length: budget.numberOfYears }, (_unused, year) => (
          <span key={year}>{formatBudgetYear(budget.firstYear, year)}</span>
        ))}
      </div>
      <div className={classes.track}>
        {gap > 0 && (
          <span
            className={isOptional ? textStyles.dim : classes.gap}
            style={{ width: share(gap) }}
            title={isOptional ? 'None yet' : 'Nothing applies yet'}
          >
            {isOptional ? 'none yet' : 'nothing yet'}
          </span>
        )}
        {periods.map(({ index, label: name, from, to }) => {
          const description = `${name}, ${displayDate(toIsoDate(from))} to ${displayDate(toIsoDate(to))}`
          return onChoose ? (
            <button
              key={index}
              type="button"
              style={{ width: share(to - from + 1) }}
              aria-pressed={index === chosen}
              aria-label={description}
              title={description}
              onClick={() => onChoose(index)}
            >
              {name}
            </button>
          ) : (
            <span key={index} style={{ width: share(to - from + 1) }} title={description}>
              {name}
            </span>
          )
        })}
      </div>
    </section>
  )
}

/** Describes the period in which a value is in force. */
export function describePeriod(dated: readonly DatedValue[], index: number): string {
  const next = dated[index + 1]
  const from = `from ${displayDate(assertDefined(dated[index]).effectiveDate)}`
  return next ? `${from} to ${displayDate(toIsoDate(toDay(next.effectiveDate) - 1))}` : from
}
