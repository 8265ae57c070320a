import { Select, Table, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pageSizes } from '../../domain/notices.ts'
import { api } from '../api/api.ts'
import { storedPageSize, storePageSize } from '../resources/listState.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { useCore } from '../state/core.ts'

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
