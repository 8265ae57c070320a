import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { notices } from '../../domain/notices.ts'
import { api, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import type { RecordPart } from './extras.ts'

/** Makes a copy with all rates, and opens it. */
export function DuplicateInflation({ record, screen, mayEdit }: RecordPart) {
  const navigate = useNavigate()
  const duplicate = async (): Promise<void> => {
    try {
      const copy = await api.incomeAndExpenditure.duplicateInflation.mutate({ id: record.id })
      said(notices.duplicated)
      await queries.invalidateQueries({ queryKey: ['list'] })
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
