import { Button, Group, Modal, NumberInput, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { notices } from '../../domain/notices.ts'
import { problemOf, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { said } from '../shell/notify.tsx'
import textStyles from '../ui/text.module.css'

/** Up to which difference a row is matched, for the whole organisation (rules.md §18). */
export function Tolerance({ isReadOnly, onClose }: { isReadOnly: boolean; onClose: () => void }) {
  const saved = trpc.payroll.tolerance.useQuery()
  return (
    <Modal opened onClose={onClose} title="Tolerance">
      {saved.isLoadingError ? (
        <LoadFailed query={saved} />
      ) : saved.data ? (
        <Form saved={saved.data.tolerance} isReadOnly={isReadOnly} onClose={onClose} />
      ) : (
        <Skeleton height={120} />
      )}
    </Modal>
  )
}

function Form({ saved, isReadOnly, onClose }: { saved: number; isReadOnly: boolean; onClose: () => void }) {
  const [value, setValue] = useState<number | string>(saved)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const { mutateAsync: saveTolerance } = trpc.payroll.saveTolerance.useMutation()
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      await saveTolerance({ tolerance: Number(value || 0) })
      said(notices.saved)
      onClose()
    } catch (error) {
      setProblem(problemOf(error).message)
      setSaving(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p className={textStyles.dim} style={{ marginTop: 0 }}>
        A row that differs by no more than this is matched. It counts for the whole organisation.
      </p>
      <NumberInput
        label="Tolerance"
        prefix="£"
        min={0}
        decimalScale={2}
        data-autofocus
        readOnly={isReadOnly}
        value={value}
        error={problem}
        onChange={setValue}
      />
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
