import { Button, Select, Table, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { greeting } from '../../domain/format.ts'
import { pageSizes } from '../../domain/notices.ts'
import { api } from '../api/api.ts'
import { signIn } from '../api/session.ts'
import { storedPageSize, storePageSize } from '../resources/listState.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { SelectionBar } from '../shell/SelectionBar.tsx'
import { useScreens, useTitle } from '../shell/useScreens.ts'
import { useCore } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'

function forename(name: string): string {
  return name.split(' ')[0] ?? ''
}

function AreaTiles() {
  const screens = useScreens()
  const title = useTitle()
  const areas = [...new Set(screens.map((screen) => screen.area))]
  return (
    <div className="tiles">
      {areas.map((area) => {
        const own = screens.filter((screen) => screen.area === area)
        return (
          <Link key={area} to={own[0]!.path} className="tile">
            <strong style={{ fontSize: 16 }}>{area}</strong>
            <span className="dim">
              {own
                .slice(0, 4)
                .map((screen) => title(screen))
                .join(', ')}
            </span>
          </Link>
        )
      })}
    </div>
  )
}

/** Home: greeting and the areas the user may open. */
export function HomePage() {
  const { user, organisations, locations, budgets } = useCore()
  const { organisationId, locationId, budgetId } = useSelection()
  if (organisationId === null || locationId === null) return <Navigate to="/welcome" replace />
  const where = [
    organisations.find((one) => one.id === organisationId)?.name,
    locations.find((one) => one.id === locationId)?.name,
    budgets.find((one) => one.mongoId === budgetId)?.name ?? 'no budget',
  ].join(' › ')
  return (
    <>
      <PageHead title={`${greeting(new Date().getHours())}, ${forename(user.name)}`} documentTitle="Home" facts={where} />
      <AreaTiles />
    </>
  )
}

/** The springboard: greets, offers the selection and a tile for each area. */
export function WelcomePage() {
  const { user, locations, organisations } = useCore()
  const { organisationId, locationId } = useSelection()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { from?: string } | null }
  const wanted = state?.from
  useEffect(() => {
    if (wanted && organisationId !== null && locationId !== null) void navigate(wanted, { replace: true })
  }, [wanted, organisationId, locationId, navigate])
  const hint = !organisations.length
    ? 'You do not belong to an organisation yet. Ask the person who manages your users.'
    : organisationId === null
      ? 'Choose your organisation to begin.'
      : locationId === null
        ? locations.length
          ? 'Choose a location to begin.'
          : 'This organisation has no locations yet. An administrator adds them.'
        : 'Choose where to go.'
  return (
    <>
      <PageHead title={`${greeting(new Date().getHours())}, ${forename(user.name)}`} documentTitle="Welcome" facts={hint} />
      <div className="card" style={{ padding: 14, marginBottom: 16, overflow: 'visible' }}>
        <SelectionBar />
      </div>
      <AreaTiles />
    </>
  )
}

export function SettingsPage() {
  const [size, setSize] = useState(storedPageSize)
  return (
    <>
      <PageHead title="Settings" facts="Kept in this browser." />
      <div className="card" style={{ padding: 16, maxWidth: 420, overflow: 'visible' }}>
        <Select
          label="Rows a page in lists"
          data={pageSizes.map((one) => ({ value: String(one), label: String(one) }))}
          value={String(size)}
          allowDeselect={false}
          onChange={(value) => {
            storePageSize(Number(value))
            setSize(storedPageSize())
          }}
        />
      </div>
    </>
  )
}

export function VersionPage() {
  const version = useQuery({ queryKey: ['version'], queryFn: () => api.startup.version.query() })
  const rows: [string, string][] = [
    ['Client', __VERSION__],
    ['Server', version.data?.version ?? '…'],
    ['Calculation engine', version.data?.engine ?? '…'],
    ['API version', String(version.data?.apiVersion ?? '…')],
    ...(version.data?.commit ? ([['Commit', version.data.commit]] as [string, string][]) : []),
  ]
  return (
    <>
      <PageHead title="Version" facts={<a href="/api/docs">The API of this server</a>} />
      <div className="card" style={{ maxWidth: 480 }}>
        <table className="figures">
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

export function ProfilePage() {
  const { user, isAdministrator, permissions } = useCore()
  const roles = useQuery({ queryKey: ['roles'], queryFn: () => api.startup.roles.query() })
  const [search, setSearch] = useState('')
  const features = [...new Set(permissions.map((name) => name.replace(/Read(Update)?$/, '')))].filter((name) =>
    name.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <>
      <PageHead
        title={user.name}
        documentTitle="Profile"
        facts={user.email}
        pills={isAdministrator && <span className="pill good">Administrator</span>}
      />
      {!isAdministrator && (
        <div className="card">
          <div className="card-head">
            User groups <span className="note">{roles.data?.map((role) => role.name).join(', ') || 'none'}</span>
          </div>
          <div className="card-body">
            <TextInput
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              placeholder="Search permissions"
              aria-label="Search permissions"
              maw={300}
              mb="sm"
            />
            <Table.ScrollContainer minWidth={360} mah={460}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Permission</Table.Th>
                    <Table.Th>May view</Table.Th>
                    <Table.Th>May change</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {features.map((name) => (
                    <Table.Tr key={name}>
                      <Table.Td>{name.replace(/([a-z])([A-Z])/g, '$1 $2')}</Table.Td>
                      <Table.Td>Yes</Table.Td>
                      <Table.Td>{permissions.some((one) => one === `${name}ReadUpdate`) ? 'Yes' : 'No'}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </div>
        </div>
      )}
    </>
  )
}

/** A page without the shell: one thing to say, one thing to do. */
function Plain({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <main className="main bare" style={{ display: 'grid', placeItems: 'center' }}>
      <div className="card" style={{ padding: 28, maxWidth: 440 }}>
        <PageHead title={title} />
        {children}
      </div>
    </main>
  )
}

export function OfflinePage() {
  useEffect(() => {
    const timer = setInterval(async () => {
      const reply = await fetch('/healthz').catch(() => null)
      if (reply?.ok) window.location.assign(new URLSearchParams(window.location.search).get('to') ?? '/')
    }, 3000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Plain title="Offline">
      <p role="status">The server cannot be reached. This page goes back by itself as soon as it answers.</p>
    </Plain>
  )
}

export function LoggedOutPage() {
  return (
    <Plain title="Signed out">
      <p>You are signed out.</p>
      <Button onClick={() => void signIn('/')}>Sign in</Button>
    </Plain>
  )
}

export function ExpiredPage() {
  return (
    <Plain title="Session expired">
      <p>Your session has ended. Sign in again to go on.</p>
      <Button onClick={() => void signIn('/')}>Sign in again</Button>
    </Plain>
  )
}

export function AccessFailPage() {
  return (
    <Plain title="No access">
      <p>Access was refused. Ask the person who manages your users, or sign in as somebody else.</p>
      <Button onClick={() => void signIn('/')}>Sign in</Button>
    </Plain>
  )
}

export function FailedStart({ error, onRetry }: { error: string | null; onRetry: () => void }) {
  return (
    <Plain title="Bursar could not start">
      <p role="alert">{error ?? 'The server did not answer.'}</p>
      <Button onClick={onRetry}>Try again</Button>
    </Plain>
  )
}
