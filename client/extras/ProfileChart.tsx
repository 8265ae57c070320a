import { periodName } from '../../domain/calendar.ts'
import { useCore } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import type { FormPart } from './extras.ts'

const periods = Array.from({ length: 12 }, (_unused, index) => index)

/** The twelve weights as bars with their share of the year, and the total, while they are typed. */
export function ProfileChart({ values }: FormPart) {
  const { budgets } = useCore()
  const { budgetId } = useSelection()
  const startMonth = budgets.find((one) => one.mongoId === budgetId)?.startMonth ?? 9
  const weights = periods.map((index) => Number(values[`period${index + 1}`] ?? 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const highest = Math.max(...weights, 0)
  const share = (weight: number): string => (total > 0 ? `${((weight * 100) / total).toFixed(1)} %` : '')
  return (
    <section className="card" aria-label="Shares of the year">
      <div className="card-head">
        Shares of the year <span className="note">total weight {Number(total.toFixed(6))}</span>
      </div>
      <div className="card-body bars">
        {periods.map((index) => (
          <div key={index}>
            <span>{periodName(startMonth, index + 1)}</span>
            <span className="track" aria-hidden>
              <span style={{ width: highest > 0 ? `${(weights[index]! * 100) / highest}%` : 0 }} />
            </span>
            <span className="value">{share(weights[index]!)}</span>
          </div>
        ))}
      </div>
    </section>
  )
}
