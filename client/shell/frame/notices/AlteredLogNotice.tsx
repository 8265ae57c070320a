import { Alert, Code } from '@mantine/core'
import { IconShieldX } from '@tabler/icons-react'
import { displayDateTime } from '../../../../domain/values/format.ts'
import type { api } from '../../api.ts'

type AlteredLog = Awaited<ReturnType<typeof api.communications.now.query>>['brokenLogs'][number]

/** Tells administrators that an event log was changed by other means than the product. */
export function AlteredLogNotice({ broken: { organisation, finding, at } }: { broken: AlteredLog }) {
  return (
    <Alert
      color="red"
      icon={<IconShieldX size={18} />}
      title={`The log of ${organisation ?? 'users and national data'} is broken`}
      mb="sm"
      p="xs"
      role="status"
    >
      Found at {displayDateTime(at)}: {finding} Someone changed it outside Bursar. <Code>npm run audit -- verify</Code> lists everything
      that is wrong.
    </Alert>
  )
}
