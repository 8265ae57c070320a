import { Skeleton } from '@mantine/core'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'

/** The contract types available in the budget. */
export function ContractTypesTab() {
  const query = trpc.budgetSummaries.contractTypes.useQuery()
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Skeleton height={160} />
  return (
    <Card className={scrollStyles.scroll}>
      <DataTable
        style={{ minWidth: 560 }}
        columns={[
          { id: 'name', label: 'Contract type' },
          { id: 'description', label: 'Description' },
          { id: 'calculationType', label: 'Calculated by', cell: (type) => getLookupName('calculationTypes', type.calculationType) },
          {
            id: 'fullTime',
            label: 'Full time',
            cell: (type) => `${type.fullTimeHours ?? 37} hours, ${type.fullTimeWeeks ?? 52.143} weeks`,
          },
        ]}
        rows={query.data}
        keyOf={({ id }) => id}
      />
    </Card>
  )
}
