import { Loader } from '@mantine/core'
import clsx from 'clsx'
import { lazy, Suspense, useEffect } from 'react'
import { recalculationState } from '../../../domain/lookups/lookupIds.ts'
import pillStyles from '../../ui/labels/Pill.module.css'
import { Pill } from '../../ui/labels/Pill.tsx'
import { liveConnectionState, recalculationProgress } from '../live/liveState.ts'
import { useSelection } from '../selection.ts'
import { useRecalculationState } from '../useRecalculationState.ts'
import shellStyles from './Shell.module.css'

const plainPill = (
  <Pill tone="warn" role="status">
    offline
  </Pill>
)
const readPill = (): Promise<typeof import('./OfflinePill.tsx')> => import('./OfflinePill.tsx')
// The pill's code cannot load while the network is down. A plain pill without an explanation is then shown.
const OfflinePill = lazy(() =>
  readPill().then(
    (file) => ({ default: file.OfflinePill }),
    () => ({ default: () => plainPill }),
  ),
)

/** A pill with the state of the calculation: up to date, out of date with a button to recalculate, or running with its progress. */
export function CalculationStatus() {
  const { budgetId } = useSelection()
  const { costs, group, isRunning, isRequired, mayRecalculate, label, recalculate, isStarting } = useRecalculationState()
  const steps = recalculationProgress.use()
  const hub = liveConnectionState.use()
  const isConnected = hub === 'connected'
  useEffect(() => {
    if (isConnected) void readPill().catch(() => undefined)
  }, [isConnected])
  const at = steps[group?.id ?? budgetId ?? '']
  return (
    <>
      {hub === 'lost' && (
        <Suspense fallback={plainPill}>
          <OfflinePill />
        </Suspense>
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
