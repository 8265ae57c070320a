import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayDate, displayMoney, toPennies } from '../../domain/values/format.ts'
import { type QueryWithoutInput, type RouterOutputs, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../shell/selection.ts'
import emptyStyles from '../ui/Empty.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './SettingsPage.module.css'

interface Table<Row> {
  effectiveDate: string
  adminTable: { id: number; name: string }
  rows: Row[]
}

/** A summary card for one kind of table: when each table applies, and its most-used figures. */
function TableKindCard<Row>({
  title,
  to,
  tables,
  figures,
}: {
  title: string
  to: string
  tables: QueryWithoutInput<Table<Row>[]>
  figures: (rows: Row[]) => [string, ReactNode][]
}) {
  const query = tables.useQuery()
  return (
    <Card aria-label={title}>
      <CardHead>
        {title}{' '}
        <CardNote>
          <Link to={to}>All tables</Link>
        </CardNote>
      </CardHead>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : !query.data ? (
        <CardBody>
          <Skeleton height={90} />
        </CardBody>
      ) : query.data.length === 0 ? (
        <EmptyState>This budget uses no tables of this type.</EmptyState>
      ) : (
        <div className={scrollStyles.scroll}>
          <DataTable
            isTight
            columns={[
              { id: 'from', label: 'From', className: classes.onOneLine, cell: (table) => displayDate(table.effectiveDate) },
              { id: 'table', label: 'Table', className: classes.onOneLine, cell: (table) => table.adminTable.name },
              ...createFigureColumns<(typeof query.data)[number]>(
                figures(assertDefined(query.data[0]).rows).map(([name]) => name),
                ({ rows }, at) => figures(rows)[at]?.[1],
              ),
            ]}
            rows={query.data}
          />
        </div>
      )}
    </Card>
  )
}

type Tables = RouterOutputs['budgetSummaries']
type RowOf<K extends 'nationalInsurance' | 'extendedLeave' | 'fundingRates' | 'teacherPayScales' | 'supportPayScales'> =
  Tables[K][number]['rows'][number]
const pounds = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : displayMoney(toPennies(value)))
const count = <Row,>(rows: Row[]): [string, ReactNode] => ['Rows', rows.length]
const ends = (rows: RowOf<'teacherPayScales'>[]): [string, ReactNode][] => [
  count(rows),
  ['Lowest', rows.length ? pounds(Math.min(...rows.map((row) => row.mainRate ?? Number.POSITIVE_INFINITY))) : '–'],
  ['Highest', rows.length ? pounds(Math.max(...rows.map((row) => row.mainRate ?? 0))) : '–'],
]

/** A summary of the national tables that the selected budget uses. */
export function BudgetSettingsPage() {
  const { budgets } = useCoreData()
  const may = usePermissionCheck()
  const { budgetId } = useSelection()
  const budget = budgets.find((one) => one.mongoId === budgetId)
  return (
    <>
      <PageHead
        title="Settings"
        documentTitle="Settings - Console"
        facts={budget ? `The tables used to calculate ${budget.name}, and the date from which each applies` : undefined}
      />
      {budget ? (
        <div className={classes.tablesGrid}>
          <TableKindCard<RowOf<'nationalInsurance'>>
            title="National insurance"
            to="/console/admin-tables/national-insurance"
            tables={trpc.budgetSummaries.nationalInsurance}
            figures={(rows) => [
              count(rows),
              ['Highest rate', rows.length ? `${Math.max(...rows.map((row) => row.rate ?? 0))}%` : '–'],
              [
                'First threshold',
                pounds(
                  rows
                    .map((row) => row.bandStart ?? 0)
                    .filter((start) => start > 0)
                    .sort((a, b) => a - b)[0],
                ),
              ],
            ]}
          />
          <TableKindCard<RowOf<'extendedLeave'>>
            title="Extended leave rates"
            to="/console/admin-tables/extended-leave-rates"
            tables={trpc.budgetSummaries.extendedLeave}
            figures={(rows) => [count(rows), ['Weekly', [...new Set(rows.map((row) => pounds(row.rate)))].join(', ')]]}
          />
          <TableKindCard<RowOf<'fundingRates'>>
            title="Local authority funding rates"
            to="/console/admin-tables/local-authority-funding-rates"
            tables={trpc.budgetSummaries.fundingRates}
            figures={(rows) => [
              count(rows),
              ...[1, 2].map((category): [string, ReactNode] => [
                getLookupName('localAuthorityFundingRateCategories', category) ?? '',
                pounds(rows.find((row) => row.category === category)?.value),
              ]),
            ]}
          />
          <TableKindCard<RowOf<'teacherPayScales'>>
            title="Teacher pay scales"
            to="/console/admin-tables/teacher-pay-scales"
            tables={trpc.budgetSummaries.teacherPayScales}
            figures={ends}
          />
          <TableKindCard<RowOf<'supportPayScales'>>
            title="Support pay scales"
            to="/console/admin-tables/support-pay-scales"
            tables={trpc.budgetSummaries.supportPayScales}
            figures={ends}
          />
        </div>
      ) : (
        <Card className={emptyStyles.empty}>
          <h2>No budget chosen</h2>
          <p>Choose a location and a budget in the bar above to see which tables it uses.</p>
          {may(['ConsoleBudgetManagementReadUpdate']) && (
            <Button component={Link} to="/console/budget-management/create">
              Add budget
            </Button>
          )}
        </Card>
      )}
    </>
  )
}
