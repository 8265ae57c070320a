import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { type CalendarMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Card } from '../ui/layout/Card.tsx'

/** Shown instead of figures if no budget covers the month. */
export function NoBudgetMessage({ month }: { month: CalendarMonth }) {
  const may = usePermissionCheck()
  return (
    <Card>
      <EmptyState>
        <h2>No budget covers {formatMonth(month)}</h2>
        <p>Choose another month, or add a budget for that year.</p>
        {may(['ConsoleBudgetManagementReadUpdate']) && (
          <Button component={Link} to="/console/budget-management/create">
            Add budget
          </Button>
        )}
      </EmptyState>
    </Card>
  )
}
