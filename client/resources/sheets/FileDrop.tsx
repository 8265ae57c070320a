import '@mantine/dropzone/styles.css'
import { Button, Group, Progress, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import type { ImportTemplate } from '../../../domain/resources/template.ts'
import { downloadFile, notifyFailure } from '../../shell/notify.tsx'

/** A drop area for an import file, with a link to its template. */
export function FileDropArea({
  what,
  hint,
  template,
  onFile,
}: {
  /** Text for the file, such as “a file from your ledger”. */
  what: string
  /** The accepted formats of the file, as text. */
  hint: string
  template: () => Promise<ImportTemplate>
  onFile: (file: File) => void
}) {
  const [isMany, setMany] = useState(false)
  const takeTemplate = async (asExcel: boolean): Promise<void> => {
    try {
      const [content, files] = await Promise.all([template(), import('./templateFile.ts')])
      downloadFile(asExcel ? await files.createTemplateWorkbook(content) : files.createTemplateCsv(content))
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <>
      <Dropzone
        onDrop={([file]) => file && onFile(file)}
        onReject={() => setMany(true)}
        multiple={false}
        role="button"
        aria-label={`Drop ${what} here or press to choose one`}
        // The surrounding button opens the hidden file input, which would otherwise be a second Tab stop.
        inputProps={{ style: { display: 'none' } }}
      >
        <Group justify="center" mih={120} gap="md" wrap="nowrap">
          <IconFileSpreadsheet size={34} stroke={1.4} style={{ flex: 'none' }} />
          <div>
            <Text fw={600}>Drop {what} here, or press to choose one</Text>
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {isMany && (
        <Text size="sm" c="var(--bad)" role="alert" mt="xs">
          Choose one file at a time.
        </Text>
      )}
      <Group gap="xs" mt="sm">
        <Button variant="subtle" leftSection={<IconDownload size={16} stroke={1.8} />} onClick={() => void takeTemplate(true)}>
          Template for Excel
        </Button>
        <Button variant="subtle" onClick={() => void takeTemplate(false)}>
          Template as CSV
        </Button>
      </Group>
    </>
  )
}

/** Shown while the browser reads a file. */
export function FileReadingProgress() {
  return (
    <>
      <Text role="status" mb="xs">
        Reading the file.
      </Text>
      <Progress value={30} animated aria-label="Reading" />
    </>
  )
}
