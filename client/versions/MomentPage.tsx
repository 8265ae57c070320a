import { Button, Skeleton, Tabs } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { displayDateTime, displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { useSelection } from '../shell/selection.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Amount } from '../ui/figures/Amount.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

type Moment = Awaited<ReturnType<typeof api.moments.at.query>>
interface Row {
  key: string
  name: string
  code?: string
  years: (number | null)[]
  /** Number of monthly figures missing in each year. */
  missing?: number[]
}

function Years({ moment, rows }: { moment: Moment; rows: Row[] }) {
  const hasCodes = rows.some((row) => row.code !== undefined)
  return (
    <Card className={scrollStyles.scroll}>
      <DataTable
        columns={[
          ...(hasCodes ? [{ id: 'code', label: 'Code', cell: ({ code }: (typeof rows)[number]) => code }] : []),
          { id: 'name', label: 'Name', isRowHead: true, cell: ({ name }) => name },
          ...createFigureColumns<(typeof rows)[number]>(moment.yearNames, ({ years, missing }, at) => {
            const pounds = years[at] ?? null
            if (pounds === null) return <Amount pennies={null} />
            return (
              <span title={displayMoney(toPennies(pounds))}>
                {displayWholePounds(toPennies(pounds))}
                <IncompleteSumNote count={missing?.[at] ?? 0} />
              </span>
            )
          }),
        ]}
        rows={rows}
        keyOf={({ key }) => key}
      />
      {!rows.length && <EmptyState>Nothing had been entered yet.</EmptyState>}
    </Card>
  )
}

const lines = [
  ['income', 'Income'],
  ['staffing', 'Staffing'],
  ['nonStaffing', 'Non-staffing'],
  ['inYear', 'In-year balance'],
  ['opening', 'Opening balance'],
  ['closing', 'Closing balance'],
] as const

/** A budget as it was at one of its versions, read-only. */
export function BudgetVersionPage() {
  const { version = '' } = useParams()
  const { budgetId } = useSelection()
  const [tab, setTab] = useState<string | null>('totals')
  const valid = /^[1-9]\d{0,8}$/.test(version)
  const moment = trpc.moments.at.useQuery({ version: Number(version) }, { enabled: valid, staleTime: Number.POSITIVE_INFINITY })
  if (!valid || (moment.isError && toPublicError(moment.error).kind === 'notFound'))
    return <NotFound back={{ to: '/overview/versions', label: 'Back to the versions' }} />
  if (moment.isError) return <LoadFailed query={moment} />
  if (!moment.data) return <Skeleton height={320} />
  const { data } = moment
  return (
    <>
      <PageHead
        title={data.moment ?? `Version ${data.version}`}
        documentTitle="Versions - Overview"
        pills={<Pill tone="warn">Read only</Pill>}
        facts={`${data.name} as at ${displayDateTime(data.at)}`}
      >
        <Button variant="default" component={Link} to={`/overview/compare?from=${budgetId}@${version}&to=${budgetId}@`}>
          Compare with now
        </Button>
        <Button variant="default" component={Link} to="/overview/versions">
          All versions
        </Button>
      </PageHead>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="totals">Totals</Tabs.Tab>
          <Tabs.Tab value="codes">Budget codes</Tabs.Tab>
          {data.contracts && <Tabs.Tab value="contracts">Contracts ({data.contracts.length})</Tabs.Tab>}
          <Tabs.Tab value="entries">Entries ({data.entries.length})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="totals">
          <Years
            moment={data}
            rows={lines.map(([key, name]) => ({
              key,
              name,
              years: data.years.map((year) => year[key]),
              missing: data.years.map((year) => year.gaps[key]),
            }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="codes">
          <Years
            moment={data}
            rows={data.codes.map((row) => ({
              key: row.code,
              name: row.description,
              code: row.code,
              years: row.years,
              missing: row.missing,
            }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="contracts">
          <Years
            moment={data}
            rows={(data.contracts ?? []).map((row) => ({
              key: row.id,
              name: [row.person, row.name].filter(Boolean).join(': '),
              years: row.years,
            }))}
          />
        </Tabs.Panel>
        <Tabs.Panel value="entries">
          <Years
            moment={data}
            rows={data.entries.map((row) => ({ key: row.id, name: row.description, code: row.code, years: row.years }))}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
