import { Skeleton } from '@mantine/core'
import { lookupName } from '../../domain/lookups/lookups.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'

/** The contract types available in the budget. */
export function ContractTypesTab() {
  const query = trpc.budgetSummaries.contractTypes.useQuery()
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Skeleton height={160} />
  return (
    <Card className={scrollStyles.scroll}>
      <Figures className={figuresStyles.terms}>
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
      </Figures>
    </Card>
  )
}
