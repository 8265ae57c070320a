import { Button, Group, Modal, NumberInput, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { notices } from '../../domain/notices.ts'
import { type Answers, problemOf, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { said } from '../shell/notify.tsx'
import textStyles from '../ui/text.module.css'

type Settings = Answers['monitoring']['settings']

/** From which variance on a line needs a reason, for the whole organisation (rules.md §17). */
export function ExplainSettings({ isReadOnly, onClose }: { isReadOnly: boolean; onClose: () => void }) {
  const settings = trpc.monitoring.settings.useQuery()
  return (
    <Modal opened onClose={onClose} title="What needs explaining">
      {settings.isLoadingError ? (
        <LoadFailed query={settings} />
      ) : settings.data ? (
        <Form saved={settings.data} isReadOnly={isReadOnly} onClose={onClose} />
      ) : (
        <Skeleton height={200} />
      )}
    </Modal>
  )
}

function Form({ saved, isReadOnly, onClose }: { saved: Settings; isReadOnly: boolean; onClose: () => void }) {
  const [values, setValues] = useState<Record<keyof Settings, number | string>>(saved)
  const { mutateAsync: saveSettings } = trpc.monitoring.saveSettings.useMutation()
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const bind = (name: keyof Settings) => ({
    value: values[name],
    readOnly: isReadOnly,
    min: 0,
    decimalScale: 2,
    thousandSeparator: ',',
    mt: 'sm',
    onChange: (value: number | string) => setValues((before) => ({ ...before, [name]: value })),
  })
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      await saveSettings({
        explainOver: Number(values.explainOver || 0),
        explainOverPercent: Number(values.explainOverPercent || 0),
        explainAlwaysOver: Number(values.explainAlwaysOver || 0),
      })
      said(notices.saved)
      onClose()
    } catch (error) {
      setProblem(problemOf(error).message)
    }
    setSaving(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p className={textStyles.dim} style={{ margin: 0 }}>
        A line without a note needs explaining when its variance is over the amount and over the percentage, or over the upper amount alone.
      </p>
      <NumberInput label="Amount" prefix="£" data-autofocus {...bind('explainOver')} />
      <NumberInput label="Percentage" suffix=" %" {...bind('explainOverPercent')} />
      <NumberInput label="Upper amount" prefix="£" error={problem} {...bind('explainAlwaysOver')} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {isReadOnly ? 'Close' : 'Cancel'}
        </Button>
        {!isReadOnly && (
          <Button type="submit" loading={isSaving}>
            Save
          </Button>
        )}
      </Group>
    </form>
  )
}
