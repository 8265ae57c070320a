import { Loader, Tooltip } from '@mantine/core'
import clsx from 'clsx'
import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import pillStyles from '../../ui/labels/Pill.module.css'
import { Pill } from '../../ui/labels/Pill.tsx'
import { hubState, recalculationProgress } from '../live/hub.ts'
import { useSelection } from '../selection.ts'
import { useRecalculationState } from '../useRecalculationState.ts'
import shellStyles from './Shell.module.css'

/**
 * The state of the calculation as a pill: up to date, out of date with a button to recalculate, or running with its
 * progress.
 */
export function CalculationStatus() {
  const { budgetId } = useSelection()
  const { costs, group, isRunning, isRequired, mayRecalculate, label, recalculate, isStarting } = useRecalculationState()
  const steps = recalculationProgress.use()
  const hub = hubState.use()
  const at = steps[group?.id ?? budgetId ?? '']
  return (
    <>
      {hub === 'lost' && (
        <Tooltip label="Live updates are interrupted. They resume automatically, with any changes made by others.">
          <Pill tone="warn" role="status">
            offline
          </Pill>
        </Tooltip>
      )}
      {costs &&
        (isRunning ? (
          <Pill role="status">
            <Loader size={12} /> Recalculating{at && group ? ` ${at.done} of ${at.of}` : ''}
          </Pill>
        ) : isRequired ? (
          mayRecalculate ? (
            <button
              type="button"
              className={clsx(pillStyles.pill, costs.state === recalculationState.failed ? pillStyles.bad : pillStyles.warn)}
              onClick={recalculate}
              disabled={isStarting}
              aria-label={label}
              title={`${costs.state === recalculationState.failed ? 'The last recalculation failed. ' : ''}${costs.reason ?? ''}`}
            >
              Recalculate
              <span className={shellStyles.wide}>{label.replace('Recalculate ', '')}</span>
            </button>
          ) : (
            <Pill tone="warn">Costs out of date</Pill>
          )
        ) : (
          <Pill tone="good" className={shellStyles.wide}>
            Costs up to date
          </Pill>
        ))}
    </>
  )
}
