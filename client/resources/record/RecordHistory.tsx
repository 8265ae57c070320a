import { Button, Skeleton } from '@mantine/core'
import type { Field } from '../../../domain/resources/fields.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import { listChangedFields, type RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { useTerm } from '../../shell/core.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { ChangedFields } from '../../ui/table/ChangedFields.tsx'
import type { getResourceHooks, useResourceMutations } from '../resourceApi.ts'
import { RecordValue } from './RecordValue.tsx'

/** The history of a record, field by field. The user can restore any version. */
export function RecordHistory({
  resource,
  hooks,
  restore: send,
  undo,
  record,
  isHidden,
  onRestored,
}: {
  resource: AnyResource
  hooks: ReturnType<typeof getResourceHooks>
  restore: ReturnType<typeof useResourceMutations>['restore']
  /** Undoes a change; undefined if the user may not undo it or the record does not allow it. */
  undo?: (change: { id: number; version: number }) => Promise<AnyRecord | null>
  record: AnyRecord
  isHidden: (field: Field) => boolean
  /** @param record the restored record; null if it no longer exists */
  onRestored: (record: AnyRecord | null) => void
}) {
  const term = useTerm()(resource.key)
  const history = hooks.history.useQuery({ id: record.id }, { gcTime: 0 })
  const goBack = async (work: () => Promise<AnyRecord | null>): Promise<void> => {
    try {
      const restored = await work()
      notifySuccess(restored ? notices.updated(term.singular) : notices.deleted(term.singular))
      onRestored(restored)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const changesOf = (before: RecordValues, after: RecordValues) =>
    listChangedFields(resource, before, after)
      .map((name) => ({ name, field: assertDefined(resource.fields[name]) }))
      .filter(({ field }) => !isHidden(field))
      .map(({ name, field }) => ({
        field: field.label,
        before: <RecordValue field={field} value={before[name]} />,
        after: <RecordValue field={field} value={after[name]} />,
      }))
  if (!history.data) return <Skeleton height={120} />
  return (
    <Card>
      <ul className={historyStyles.history}>
        {history.data.map((entry) => (
          <li key={`${entry.version}${entry.occurredAt}`}>
            <b>{entry.actor}</b> {entry.sentence ?? `${entry.action} it`},{' '}
            <span className={textStyles.dim}>{displayDateTime(entry.occurredAt)}</span>
            {entry.after && entry.version !== record.version && (
              <Button
                variant="subtle"
                size="compact-sm"
                ml="xs"
                onClick={() => void goBack(() => send({ id: record.id, version: entry.version }))}
              >
                Restore this version
              </Button>
            )}
            {undo && entry.version === record.version && (
              <Button
                variant="subtle"
                size="compact-sm"
                ml="xs"
                onClick={() => void goBack(() => undo({ id: record.id, version: entry.version }))}
              >
                Undo this change
              </Button>
            )}
            {entry.before && entry.after && <ChangedFields changes={changesOf(entry.before, entry.after)} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}
