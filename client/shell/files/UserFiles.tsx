import { Button, Group } from '@mantine/core'
import { displayDateTime } from '../../../domain/values/format.ts'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { type RouterOutputs, trpc } from '../api.ts'
import { notifyFailure } from '../notify.tsx'
import { FileProgress } from './FileProgress.tsx'
import { downloadStoredFile } from './useRequestedFile.ts'

type File = RouterOutputs['files']['list'][number]

/**
 * The user's files, both finished and in progress. Files are stored for thirty days.
 * @param isAlone whether the list is shown alone, so that an empty list needs a message
 */
export function UserFiles({ isAlone }: { isAlone: boolean }) {
  const { data = [] } = trpc.files.list.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.some((file) => file.state === 'making') ? 1000 : false),
  })
  const cancel = trpc.files.cancel.useMutation({ onError: notifyFailure })
  if (!data.length && !isAlone) return null
  if (!data.length)
    return (
      <p className={textStyles.dim} style={{ padding: '4px 14px 14px', margin: 0 }}>
        No notifications yet. They appear here while you work.
      </p>
    )
  return (
    <ul className={historyStyles.history} style={{ maxHeight: 260, overflowY: 'auto' }} aria-label="Your files">
      {data.map((file) => (
        <li key={file.id}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <span>{file.title}</span>
            {file.state === 'making' && (
              <FileProgress title={file.title} percent={file.percent} onCancel={() => cancel.mutate({ id: file.id })} />
            )}
            {file.state === 'made' && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Save ${file.title} as PDF`}
                onClick={() => void downloadStoredFile(file.id)}
              >
                PDF
              </Button>
            )}
            {file.state === 'failed' && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Remove ${file.title} from the list`}
                onClick={() => cancel.mutate({ id: file.id })}
              >
                Remove
              </Button>
            )}
          </Group>
          <div className={file.state === 'failed' ? textStyles.up : textStyles.dim} style={{ fontSize: 12.5 }}>
            {wordsOf(file)}
          </div>
        </li>
      ))}
    </ul>
  )
}

function wordsOf({ state, failure, requestedAt, until }: File): string {
  if (state === 'failed') return failure ?? ''
  const requested = `Requested ${displayDateTime(requestedAt)}`
  return state === 'made' ? `${requested} · kept until ${displayDateTime(until).split(',')[0]}` : requested
}
