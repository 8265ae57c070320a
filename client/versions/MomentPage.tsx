import { Button, Skeleton, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { displayDateTime, money, penniesOf, wholePounds } from '../../domain/format.ts'
import { api, problemOf } from '../api/api.ts'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { useSelection } from '../state/selection.ts'

type Moment = Awaited<ReturnType<typeof api.moments.at.query>>
const amount = (pounds: number | null): string => (pounds === null ? 'not calculated' : wholePounds(penniesOf(pounds)))

function Years({ moment, rows }: { moment: Moment; rows: { key: string; name: string; code?: string; years: (number | null)[] }[] }) {
  const hasCodes = rows.some((row) => row.code !== undefined)
  return (
    <div className="card scroll">
      <table className="figures">
        <thead>
          <tr>
            {hasCodes && (
              <th scope="col" className="text">
                Code
              </th>
            )}
            <th scope="col" className="text">
              Name
            </th>
            {moment.yearNames.map((year) => (
              <th scope="col" key={year}>
                {year}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              {hasCodes && <td className="text">{row.code}</td>}
              <th scope="row">{row.name}</th>
              {row.years.map((pounds, year) => (
                <td key={moment.yearNames[year]} title={pounds === null ? undefined : money(penniesOf(pounds))}>
                  {amount(pounds)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!rows.length && <div className="empty">There was nothing yet.</div>}
    </div>
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

/** A budget as it stood at one of its versions, to read. */
export function MomentPage() {
  const { version = '' } = useParams()
  const { budgetId } = useSelection()
  const [tab, setTab] = useState<string | null>('totals')
  const valid = /^[1-9]\d{0,8}$/.test(version)
  const moment = useQuery({
    queryKey: ['moment', budgetId, version],
    queryFn: () => api.moments.at.query({ version: Number(version) }),
    enabled: valid,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!valid || (moment.isError && problemOf(moment.error).kind === 'notFound'))
    return <NotFound back={{ to: '/overview/versions', label: 'Back to the versions' }} />
  if (moment.isError) return <LoadFailed query={moment} />
  if (!moment.data) return <Skeleton height={320} />
  const { data } = moment
  return (
    <>
      <PageHead
        title={data.moment ?? `Version ${data.version}`}
        documentTitle="Versions - Overview"
        pills={<span className="pill warn">Read only</span>}
        facts={`${data.name} as it stood on ${displayDateTime(data.at)}`}
      >
        <Button variant="default" component={Link} to={`/overview/compare?a=${budgetId}@${version}&b=${budgetId}@`}>
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
          <Years moment={data} rows={lines.map(([key, name]) => ({ key, name, years: data.years.map((year) => year[key]) }))} />
        </Tabs.Panel>
        <Tabs.Panel value="codes">
          <Years
            moment={data}
            rows={data.codes.map((row) => ({ key: row.code, name: row.description, code: row.code, years: row.years }))}
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
