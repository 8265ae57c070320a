import { Button, Checkbox, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { displayCount } from '../../domain/values/format.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import textStyles from '../ui/labels/text.module.css'
import { SectionStack } from '../ui/layout/SectionStack.tsx'

/** A dialog that changes the fields that the user ticked on many records. If one record is refused, none is changed (behaviour B-111). */
export function BulkEditDialog<Name extends string>({
  title,
  thing,
  names,
  labelOf,
  input,
  ticked,
  onTicked,
  isLow,
  busy,
  onClose,
  onSave,
}: {
  title: string
  /** The noun for one record within a sentence, such as `contract`. */
  thing: string
  names: readonly Name[]
  labelOf: (name: Name) => string
  input: (name: Name) => ReactNode
  ticked: readonly Name[]
  onTicked: (ticked: Name[]) => void
  /** Whether the input of a field has no label above it. */
  isLow: (name: Name) => boolean
  busy: boolean
  onClose: () => void
  onSave: () => void
}) {
  return (
    <Dialog onClose={onClose} size="xl" title={title}>
      <p className={textStyles.dim} style={{ marginTop: 0 }}>
        Tick the fields to change; everything else stays as it is. If one {thing} cannot be changed, none are.
      </p>
      <SectionStack>
        {names.map((name) => (
          <div key={name} style={{ display: 'grid', gridTemplateColumns: '28px minmax(0, 1fr)', alignItems: 'start' }}>
            <Checkbox
              mt={isLow(name) ? 2 : 28}
              aria-label={`Change ${labelOf(name)}`}
              checked={ticked.includes(name)}
              onChange={(event) => onTicked(event.currentTarget.checked ? [...ticked, name] : ticked.filter((one) => one !== name))}
            />
            {input(name)}
          </div>
        ))}
      </SectionStack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={onSave} disabled={!ticked.length} loading={busy}>
          Change {ticked.length ? displayCount(ticked.length, 'field') : 'fields'}
        </Button>
      </Group>
    </Dialog>
  )
}
