import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { displayDate, money, penniesOf } from '../../domain/format.ts'
import { lookupName } from '../../domain/lookups.ts'
import { api } from '../api/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { useCore } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

interface Table<Row> {
  effectiveDate: string
  adminTable: { id: number; name: string }
  rows: Row[]
}

/** One kind of table: what applies from when, with the figures people ask about first. */
function Kind<Row>({
  title,
  to,
  load,
  queryKey,
  figures,
}: {
  title: string
  to: string
  load: () => Promise<Table<Row>[]>
  queryKey: string
  figures: (rows: Row[]) => [string, ReactNode][]
}) {
  const { budgetId } = useSelection()
  const query = useQuery({ queryKey: ['settings', queryKey, budgetId], queryFn: load })
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        {title}{' '}
        <span className="note">
          <Link to={to}>All tables</Link>
        </span>
      </div>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : !query.data ? (
        <div className="card-body">
          <Skeleton height={90} />
        </div>
      ) : query.data.length === 0 ? (
        <div className="empty">The budget uses none.</div>
      ) : (
        <div className="scroll">
          <table className="figures tight">
            <thead>
              <tr>
                <th scope="col" className="text">
                  From
                </th>
                <th scope="col" className="text">
                  Table
                </th>
                {figures(query.data[0]!.rows).map(([name]) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {query.data.map((table) => (
                <tr key={`${table.effectiveDate} ${table.adminTable.id}`}>
                  <th scope="row">{displayDate(table.effectiveDate)}</th>
                  <td className="text">{table.adminTable.name}</td>
                  {figures(table.rows).map(([name, value]) => (
                    <td key={name}>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

type Points = Awaited<ReturnType<typeof api.budgetSummaries.teacherPayScales.query>>[number]['rows']
const pounds = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : money(penniesOf(value)))
const count = <Row,>(rows: Row[]): [string, ReactNode] => ['Rows', rows.length]
const ends = (rows: Points): [string, ReactNode][] => [
  count(rows),
  ['Lowest', rows.length ? pounds(Math.min(...rows.map((row) => row.mainRate ?? Number.POSITIVE_INFINITY))) : '–'],
  ['Highest', rows.length ? pounds(Math.max(...rows.map((row) => row.mainRate ?? 0))) : '–'],
]

/** The national tables that the selected budget is calculated with, at a glance. */
export function SettingsPage() {
  const { budgets } = useCore()
  const { budgetId } = useSelection()
  const budget = budgets.find((one) => one.mongoId === budgetId)
  return (
    <>
      <PageHead
        title="Settings"
        documentTitle="Settings - Console"
        facts={budget ? `The tables that ${budget.name} is calculated with, and from when each applies` : undefined}
      />
      {budget ? (
        <div className="tables-grid">
          <Kind
            title="National insurance"
            to="/console/admin-tables/national-insurance"
            queryKey="ni"
            load={() => api.budgetSummaries.nationalInsurance.query()}
            figures={(rows) => [
              count(rows),
              ['Highest rate', rows.length ? `${Math.max(...rows.map((row) => row.rate ?? 0))} %` : '–'],
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
          <Kind
            title="Extended leave rates"
            to="/console/admin-tables/extended-leave-rates"
            queryKey="leave"
            load={() => api.budgetSummaries.extendedLeave.query()}
            figures={(rows) => [count(rows), ['Weekly', [...new Set(rows.map((row) => pounds(row.rate)))].join(', ')]]}
          />
          <Kind
            title="Local authority funding rates"
            to="/console/admin-tables/local-authority-funding-rates"
            queryKey="funding"
            load={() => api.budgetSummaries.fundingRates.query()}
            figures={(rows) => [
              count(rows),
              ...[1, 2].map((category): [string, ReactNode] => [
                lookupName('localAuthorityFundingRateCategories', category) ?? '',
                pounds(rows.find((row) => row.category === category)?.value),
              ]),
            ]}
          />
          <Kind
            title="Teacher pay scales"
            to="/console/admin-tables/teacher-pay-scales"
            queryKey="teacher"
            load={() => api.budgetSummaries.teacherPayScales.query()}
            figures={ends}
          />
          <Kind
            title="Support pay scales"
            to="/console/admin-tables/support-pay-scales"
            queryKey="support"
            load={() => api.budgetSummaries.supportPayScales.query()}
            figures={ends}
          />
        </div>
      ) : (
        <div className="card empty">
          <h2>No budget is chosen</h2>
          <p>Choose a location and a budget in the bar above to see which tables it uses.</p>
        </div>
      )}
    </>
  )
}
