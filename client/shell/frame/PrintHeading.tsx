import { useEffect, useState } from 'react'
import { displayDateTime } from '../../../domain/values/format.ts'
import { useCore } from '../core.ts'
import { useSelection } from '../selection.ts'
import classes from './Printed.module.css'

/** A heading for printed pages, which have no selection bar: organisation, location, budget and print date. */
export function PrintHeading() {
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
