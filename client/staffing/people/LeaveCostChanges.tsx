import { displayMoney, toPennies } from '../../../domain/values/format.ts'
import type { api } from '../../shell/api.ts'
import textStyles from '../../ui/labels/text.module.css'

type Change = Awaited<ReturnType<typeof api.leave.periods.query>>[number]['changes'][number]

/** The effect of a leave on the person's cost, by year. */
export function LeaveCostChanges({ changes }: { changes: readonly Change[] }) {
  if (!changes.length) return <p className={textStyles.dim}>It does not change the cost of this budget.</p>
  return (
    <p style={{ margin: '0 0 10px' }}>
      {changes.map(({ year, change }, index) => (
        <span key={year}>
          {index > 0 && ' · '}
          {year}: <ChangeInWords change={change} />
        </span>
      ))}
    </p>
  )
}

function ChangeInWords({ change }: Pick<Change, 'change'>) {
  if (change === null) return <span className={textStyles.missing}>its effect cannot be calculated</span>
  const pennies = toPennies(change)
  if (pennies === 0) return 'no change'
  const amount = <b>{displayMoney(Math.abs(pennies))}</b>
  return pennies < 0 ? <span className={textStyles.down}>saves {amount}</span> : <span className={textStyles.up}>costs {amount} more</span>
}
