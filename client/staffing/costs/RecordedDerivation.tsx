import type { ContractId } from '../../../domain/values/ids.ts'
import { trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { DerivationPanel } from './Derivation.tsx'
import type { FigureSelection, SelectedFigure } from './selectedFigure.ts'

/** The calculation of a figure that was recorded for a contract. Its steps are fetched when the first month is opened. */
export function RecordedDerivation({ contractId, ...shown }: FigureSelection & { contractId: ContractId; selected: SelectedFigure }) {
  const { line, month } = shown.selected
  const forecast = trpc.contracts.forecast.useQuery({ id: contractId }, { enabled: line !== null && month !== null })
  if (forecast.isLoadingError) return <LoadFailed query={forecast} />
  // After a save, the steps are out of date until they are fetched again.
  const explanation = forecast.isRefetching ? undefined : forecast.data?.explanation
  return (
    <DerivationPanel
      {...shown}
      explain={(at) =>
        explanation && (explanation.find((one) => one.year === Math.floor(at / 12) + 1 && one.period === (at % 12) + 1)?.steps ?? [])
      }
    />
  )
}
