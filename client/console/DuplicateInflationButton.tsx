import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { notices } from '../../domain/words/notices.ts'
import type { RecordPartProps } from '../resources/entityExtras.ts'
import { trpc } from '../shell/api.ts'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'

/** Copies a set of inflation rates and opens the copy. */
export function DuplicateInflationButton({ record, screen, mayEdit }: RecordPartProps) {
  const navigate = useNavigate()
  const { mutateAsync: copyOf } = trpc.incomeAndExpenditure.duplicateInflation.useMutation()
  const duplicate = async (): Promise<void> => {
    try {
      const copy = await copyOf({ id: record.id })
      notifySuccess(notices.duplicated)
      void navigate(`${screen.path}/${copy.id}`)
    } catch (error) {
      notifyFailure(error)
    }
  }
  if (!mayEdit) return null
  return (
    <Button variant="default" onClick={() => void duplicate()}>
      Duplicate
    </Button>
  )
}
