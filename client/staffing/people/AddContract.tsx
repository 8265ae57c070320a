import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { RecordPartProps } from '../../resources/entityExtras.ts'

/** A link that adds a contract for the person in the selected budget. */
export function AddContract({ record, screen, mayEdit }: RecordPartProps) {
  if (!mayEdit || screen.needs !== 'budget') return null
  return (
    <Button
      variant="default"
      component={Link}
      to={`/staffing/staff-contracts/add?employee=${encodeURIComponent(String(record.employeeNumber))}`}
    >
      Add contract
    </Button>
  )
}
