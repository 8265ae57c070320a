import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { downloadFile, notifyFailure } from '../notify.tsx'
import type { FigureFormat } from './csvToWorkbook.ts'

/** Exports a list. The button exports CSV, and the menu next to it Excel. */
export function ExportButton({
  file,
  kinds = {},
  disabled,
}: {
  /** Fetches the list as CSV. */
  file: () => Promise<{ fileName: string; contentType: string; body: string }>
  /** Headings of the columns that hold numbers, with their format. */
  kinds?: Readonly<Record<string, FigureFormat>>
  disabled?: boolean
}) {
  const [isBusy, setBusy] = useState(false)
  const save = async (asExcel: boolean): Promise<void> => {
    setBusy(true)
    try {
      const csv = await file()
      if (!asExcel) downloadFile(csv)
      else {
        const { convertCsvToWorkbook } = await import('./csvToWorkbook.ts')
        const name = csv.fileName.replace(/\.csv$/, '')
        const body = await convertCsvToWorkbook(csv.body, name, kinds)
        downloadFile({ fileName: `${name}.xlsx`, contentType: body.type, body })
      }
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  return (
    <Group gap={2} wrap="nowrap">
      <Button variant="default" onClick={() => void save(false)} disabled={disabled} loading={isBusy}>
        Export
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" disabled={disabled || isBusy} aria-label="Export as">
            <IconChevronDown size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void save(true)}>Excel workbook</Menu.Item>
          <Menu.Item onClick={() => void save(false)}>CSV file</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
