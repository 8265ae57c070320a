import { Skeleton } from '@mantine/core'
import { displayDate } from '../../domain/values/format.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { type api, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { FactsTable } from '../ui/table/FactsTable.tsx'

type Budget = Awaited<ReturnType<typeof api.budgets.summary.query>>['budget']
type Rates = Awaited<ReturnType<typeof api.budgetSummaries.erPension.query>>

function RateTable({ title, note, rates }: { title: string; note: string; rates: Rates }) {
  const types = useRecordNames(
    'contractType',
    rates.flatMap((one) => one.rows.map((row) => row.contractTypeId)),
  )
  return (
    <Card className={scrollStyles.scroll}>
      <CardHead>
        {title} <CardNote>{note}</CardNote>
      </CardHead>
      {rates.length === 0 ? (
        <EmptyState>None entered.</EmptyState>
      ) : (
        <DataTable
          isTight
          columns={[
            { id: 'from', label: 'From', cell: (one) => displayDate(one.effectiveDate) },
            ...[...types.values()].map(
              (type): TableColumn<(typeof rates)[number]> => ({
                id: String(type.id),
                label: type.name,
                isFigure: true,
                cell: ({ rows }) => {
                  const row = rows.find((each) => each.contractTypeId === type.id)
                  return row ? `${row.rate}%` : ''
                },
              }),
            ),
          ]}
          rows={rates}
          keyOf={(one) => one.effectiveDate}
        />
      )}
    </Card>
  )
}

/** The pay awards, pension rates and inflation rates that the budget uses. */
export function AssumptionsTab({ budget }: { budget: Budget }) {
  const awards = trpc.budgetSummaries.inflation.useQuery()
  const pensions = trpc.budgetSummaries.erPension.useQuery()
  const sets = useRecordNames('staffAssumptions', [budget.staffAssumptionsId])
  const inflations = useRecordNames('inflation', budget.inflationId === null ? [] : [budget.inflationId])
  if (awards.isError) return <LoadFailed query={awards} />
  if (pensions.isError) return <LoadFailed query={pensions} />
  if (!awards.data || !pensions.data) return <Skeleton height={200} />
  return (
    <SectionStack>
      <Card className={scrollStyles.scroll}>
        <FactsTable
          facts={[
            ['Staff assumptions', sets.get(budget.staffAssumptionsId)?.name],
            ['Non-staff inflation', budget.inflationId === null ? 'none: prices do not rise' : inflations.get(budget.inflationId)?.name],
          ]}
        />
      </Card>
      <RateTable title="Pay awards" note="per cent, each on top of the one before" rates={awards.data} />
      <RateTable title="Employer pension" note="per cent of pensionable pay" rates={pensions.data} />
    </SectionStack>
  )
}
