import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { displayDateTime } from '../../../domain/values/format.ts'
import { useCoreData } from '../core.ts'
import { useSelection } from '../selection.ts'
import classes from './Printed.module.css'

/** A heading for printed pages, which have no selection bar: organisation, location, budget and print date. */
export function PrintHeading() {
  const { organisations, locations, budgets } = useCoreData()
  const { organisationId, locationId, budgetId } = useSelection()
  const [at, setAt] = useState(() => new Date())
  useEffect(() => {
    const root = document.documentElement
    let scheme = root.dataset.mantineColorScheme
    const start = (): void => {
      flushSync(() => setAt(new Date()))
      scheme = root.dataset.mantineColorScheme
      // Paper is white, and the light text of the dark scheme could not be read on it.
      root.dataset.mantineColorScheme = 'light'
    }
    const end = (): void => {
      root.dataset.mantineColorScheme = scheme
    }
    window.addEventListener('beforeprint', start)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', start)
      window.removeEventListener('afterprint', end)
    }
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
