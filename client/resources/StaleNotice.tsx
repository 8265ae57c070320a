import { Alert, Button } from '@mantine/core'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { changedFields, type Values } from '../../domain/resources/schema.ts'
import { RecordValue } from './RecordValue.tsx'

/** Says what somebody else changed meanwhile, and lets the user choose whose values stay. */
export function StaleNotice({
  resource,
  saved,
  newer,
  onKeep,
  onTake,
}: {
  resource: AnyResource
  saved: Values
  newer: AnyRecord
  onKeep: () => void
  onTake: () => void
}) {
  return (
    <Alert color="orange" title="Somebody else has changed this" mb="md">
      <ul style={{ margin: '4px 0 10px', paddingLeft: 18 }}>
        {changedFields(resource, saved, newer).map((field) => (
          <li key={field}>
            {resource.fields[field]!.label}: <RecordValue field={resource.fields[field]!} value={newer[field]} />
          </li>
        ))}
      </ul>
      <Button size="compact-sm" mr="xs" onClick={onKeep}>
        Keep my changes on top
      </Button>
      <Button size="compact-sm" variant="default" onClick={onTake}>
        Take theirs
      </Button>
    </Alert>
  )
}
