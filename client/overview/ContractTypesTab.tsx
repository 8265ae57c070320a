import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lookupName } from '../../domain/lookups.ts'
import { api } from '../api/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../state/selection.ts'

/** The contract types that the staff of the budget may have. */
export function ContractTypesTab() {
  const { budgetId } = useSelection()
  const query = useQuery({ queryKey: ['overview', 'types', budgetId], queryFn: () => api.budgetSummaries.contractTypes.query() })
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Skeleton height={160} />
  return (
    <div className="card scroll">
      <table className="figures terms">
        <thead>
          <tr>
            <th scope="col">Contract type</th>
            <th scope="col">Description</th>
            <th scope="col">Calculated by</th>
            <th scope="col">Full time</th>
          </tr>
        </thead>
        <tbody>
          {query.data.map((type) => (
            <tr key={type.id}>
              <th scope="row">{type.name}</th>
              <td>{type.description}</td>
              <td>{lookupName('calculationTypes', type.calculationType)}</td>
              <td>{`${type.fullTimeHours ?? 37} hours, ${type.fullTimeWeeks ?? 52.143} weeks`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
