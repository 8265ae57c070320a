import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { createPageSizeOptions, parsePageSize, readPageSize, storePageSize } from '../resources/list/listState.ts'
import { trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import stackStyles from '../ui/layout/Stack.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { FactsTable } from '../ui/table/FactsTable.tsx'
import { PasskeysCard } from './PasskeysCard.tsx'
import { SecondStepCard } from './SecondStepCard.tsx'
import { SignInsCard } from './SignInsCard.tsx'

export function BrowserSettingsPage() {
  const [size, setSize] = useState(readPageSize)
  return (
    <>
      <PageHead title="Settings" facts="Saved in this browser." />
      <Card style={{ padding: 16, maxWidth: 420, overflow: 'visible' }}>
        <Choice
          label="Rows per page in lists"
          data={createPageSizeOptions(String)}
          value={String(size)}
          onChange={(value) => {
            storePageSize(parsePageSize(value))
            setSize(readPageSize())
          }}
        />
      </Card>
    </>
  )
}

export function VersionPage() {
  const version = trpc.startup.version.useQuery()
  const rows: [string, string][] = [
    ['Client', __VERSION__],
    ['Server', version.data?.version ?? '…'],
    ['Calculation engine', version.data?.engine ?? '…'],
    ['API version', String(version.data?.apiVersion ?? '…')],
    ...(version.data?.commit ? [['Commit', version.data.commit] satisfies [string, string]] : []),
  ]
  return (
    <>
      <PageHead title="Version" facts={<a href="/api/docs">API reference</a>} />
      <Card style={{ maxWidth: 480 }}>
        <FactsTable facts={rows} />
      </Card>
    </>
  )
}

export function ProfilePage() {
  const { user, isAdministrator, permissions } = useCoreData()
  const roles = trpc.startup.roles.useQuery()
  const [search, setSearch] = useState('')
  const features = [...new Set(permissions.map((name) => name.replace(/Read(Update)?$/, '')))].filter((name) =>
    name.toLowerCase().includes(search.toLowerCase()),
  )
  return (
    <>
      <PageHead
        title={user.name}
        documentTitle="Profile"
        facts={
          <>
            {user.email} · <Link to="/what-is-kept">Personal data we keep</Link>
          </>
        }
        pills={isAdministrator && <Pill tone="good">Administrator</Pill>}
      />
      <div className={stackStyles.stack}>
        <PasskeysCard />
        <SecondStepCard />
        <SignInsCard />
        {!isAdministrator && (
          <Card>
            <CardHead>
              User groups <CardNote>{roles.data?.map((role) => role.name).join(', ') || 'none'}</CardNote>
            </CardHead>
            <CardBody>
              <TextInput
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
                placeholder="Search permissions"
                aria-label="Search permissions"
                maw={300}
                mb="sm"
              />
              <DataTable
                minWidth={360}
                maxHeight={460}
                columns={[
                  { id: 'permission', label: 'Permission', cell: (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2') },
                  { id: 'view', label: 'Can view', cell: () => 'Yes' },
                  {
                    id: 'change',
                    label: 'Can change',
                    cell: (name) => (permissions.some((one) => one === `${name}ReadUpdate`) ? 'Yes' : 'No'),
                  },
                ]}
                rows={features}
                keyOf={(name) => name}
              />
            </CardBody>
          </Card>
        )}
      </div>
    </>
  )
}
