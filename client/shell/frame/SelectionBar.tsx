import clsx from 'clsx'
import { useLocation } from 'react-router'
import { budgetState } from '../../../domain/lookups/lookupIds.ts'
import { toBudgetId, toLocationId, toOrganisationId } from '../../../domain/values/ids.ts'
import { useCoreData, useTerm } from '../core.ts'
import { lazyComponent } from '../lazyComponent.ts'
import { useSelection } from '../selection.ts'
import { useChooseSelection } from '../useChooseSelection.ts'
import { LoadOnFirstUse } from './LoadOnFirstUse.tsx'
import classes from './SelectionBar.module.css'
import { SelectionButton, type SelectionLevel } from './SelectionButton.tsx'

const readList = (): Promise<typeof import('./SelectionList.tsx')> => import('./SelectionList.tsx')
const SelectionList = lazyComponent(readList, 'SelectionList')

function Step(level: SelectionLevel) {
  return (
    <LoadOnFirstUse read={readList} button={(props) => <SelectionButton aria-expanded={false} {...level} {...props} />}>
      <SelectionList {...level} />
    </LoadOnFirstUse>
  )
}

/**
 * The selected organisation, location and budget, which are always visible (behaviour B-008).
 * @param wraps whether long names may wrap to a second line
 */
export function SelectionBar({ wraps = false }: { wraps?: boolean }) {
  const { organisations, locations, budgets } = useCoreData()
  const { organisationId, locationId, budgetId } = useSelection()
  const choose = useChooseSelection()
  const term = useTerm()
  const { pathname } = useLocation()
  const area = pathname.startsWith('/administrator') ? 'administrator' : pathname.startsWith('/console') ? 'console' : 'budget'
  const quiet = area === 'budget' ? undefined : { opacity: 0.85 }
  return (
    <section
      className={clsx(classes.path, wraps && classes.wraps)}
      aria-label="Selection"
      title={
        area === 'administrator'
          ? 'The administrator area applies to all organisations'
          : area === 'console'
            ? 'The console applies to the organisation'
            : undefined
      }
    >
      <Step
        term={term('Organisation')}
        items={organisations.map(({ id, name }) => ({ id: String(id), name }))}
        value={organisationId === null ? null : String(organisationId)}
        onChoose={(id) => choose({ organisationId: toOrganisationId(Number(id)), locationId: null, budgetId: null })}
        strong={area === 'console'}
      />
      <span className={classes.sep} aria-hidden>
        ›
      </span>
      <span style={quiet}>
        <Step
          term={term('Location')}
          items={locations.map(({ id, name }) => ({ id: String(id), name }))}
          value={locationId === null ? null : String(locationId)}
          onChoose={(id) => choose({ organisationId, locationId: toLocationId(Number(id)), budgetId: null })}
        />
      </span>
      <span className={classes.sep} aria-hidden>
        ›
      </span>
      <span style={quiet}>
        <Step
          term={term('Budget')}
          items={budgets.map((budget) => ({
            id: budget.mongoId,
            name: budget.name,
            note: budget.state === budgetState.locked ? 'Locked' : undefined,
          }))}
          value={budgetId}
          onChoose={(id) => choose({ organisationId, locationId, budgetId: toBudgetId(id) })}
          strong={area === 'budget'}
        />
      </span>
    </section>
  )
}
