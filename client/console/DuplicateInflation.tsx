import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { notices } from '../../domain/notices.ts'
import type { RecordPart } from '../resources/extras.ts'
import { api, cache } from '../shell/api.ts'
import { failed, said } from '../shell/notify.tsx'

/** Makes a copy with all rates, and opens it. */
export function DuplicateInflation({ record, screen, mayEdit }: RecordPart) {
  const navigate = useNavigate()
  const duplicate = async (): Promise<void> => {
    try {
      const copy = await api.incomeAndExpenditure.duplicateInflation.mutate({ id: record.id })
      said(notices.duplicated)
      await cache.resources.inflation!.invalidate()
      void navigate(`${screen.path}/${copy.id}`)
    } catch (error) {
      failed(error)
    }
  }
  if (!mayEdit) return null
  return (
    <Button variant="default" onClick={() => void duplicate()}>
      Duplicate
    </Button>
  )
}
