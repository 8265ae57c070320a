import { Button, Menu } from '@mantine/core'
import { IconBraces, IconChevronDown, IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import type { RecordPartProps } from '../../resources/entityExtras.ts'
import { trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { downloadReply } from '../../shell/files/downloadReply.ts'
import { downloadFile, notifyFailure, notifySuccess } from '../../shell/notify.tsx'

/**
 * Downloads all data held on a person, for a subject access request. The person's history records who downloaded it.
 */
export function DownloadPersonalData({ record }: RecordPartProps) {
  const mayDownload = usePermissionCheck()(['ConsoleStaffMembersReadUpdate'])
  const [busy, setBusy] = useState(false)
  const { mutateAsync: gather } = trpc.subjectAccess.pack.useMutation()
  if (!mayDownload || record.erased) return null
  const make = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await work()
      notifySuccess('Created subject-access pack')
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const asJson = async (): Promise<void> => {
    const pack = await gather({ id: record.id })
    downloadFile({ fileName: 'Subject-access pack.json', contentType: 'application/json', body: JSON.stringify(pack, null, 2) })
  }
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button variant="default" loading={busy} rightSection={<IconChevronDown size={14} />}>
          Subject-access pack
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All data held about the person</Menu.Label>
        <Menu.Item
          leftSection={<IconFileTypePdf size={16} />}
          onClick={() => void make(() => downloadReply(`/api/Staff/${record.id}/access-pack/paper`, { method: 'POST' }))}
        >
          PDF to give to the person
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={16} />} onClick={() => void make(asJson)}>
          JSON for another system
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
