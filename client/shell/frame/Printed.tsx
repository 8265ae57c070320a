import { useEffect, useState } from 'react'
import { displayDateTime } from '../../../domain/values/format.ts'
import { useCore } from '../core.ts'
import { useSelection } from '../selection.ts'
import classes from './Printed.module.css'

/** What stands on top of a page on paper, where the bar is not: whose figures they are, of which budget, and when it was printed. */
export function Printed() {
  const { organisations, locations, budgets } = useCore()
  const { organisationId, locationId, budgetId } = useSelection()
  const [at, setAt] = useState(() => new Date())
  useEffect(() => {
    const now = (): void => setAt(new Date())
    window.addEventListener('beforeprint', now)
    return () => window.removeEventListener('beforeprint', now)
  }, [])
  const names = [
    organisations.find(({ id }) => id === organisationId)?.name,
    locations.find(({ id }) => id === locationId)?.name,
    budgets.find(({ mongoId }) => mongoId === budgetId)?.name,
  ].filter((name) => name !== undefined)
  return (
    <div className={classes.printed}>
      {names.join(' · ')} · printed {displayDateTime(at)}
    </div>
  )
}
