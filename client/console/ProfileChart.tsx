import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../domain/values/calendar.ts'
import { displayPercent } from '../../domain/values/format.ts'
import type { FormPartProps } from '../resources/entityExtras.ts'
import { useCoreData } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'
import barsStyles from '../ui/figures/bars.module.css'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'

const periods = Array.from({ length: 12 }, (_unused, index) => index)

/** A bar chart of the twelve weights with their share of the year, and their total, updated while typing. */
export function ProfileChart({ values }: FormPartProps) {
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const startMonth = budgets.find((one) => one.mongoId === budgetId)?.startMonth ?? 9
  const weights = periods.map((index) => Number(values[`period${index + 1}`] ?? 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const highest = Math.max(...weights, 0)
  const share = (weight: number): string => (total > 0 ? displayPercent((weight * 100) / total) : '')
  return (
    <Card aria-label="Shares of the year">
      <CardHead>
        Shares of the year <CardNote>total weight {Number(total.toFixed(6))}</CardNote>
      </CardHead>
      <CardBody className={barsStyles.bars}>
        {periods.map((index) => (
          <div key={index}>
            <span>{formatPeriodMonth(startMonth, index + 1)}</span>
            <span className={barsStyles.track} aria-hidden>
              <span style={{ width: highest > 0 ? `${(assertDefined(weights[index]) * 100) / highest}%` : 0 }} />
            </span>
            <span className={barsStyles.value}>{share(assertDefined(weights[index]))}</span>
          </div>
        ))}
      </CardBody>
    </Card>
  )
}
