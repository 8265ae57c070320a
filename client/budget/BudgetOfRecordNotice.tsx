import { Button } from '@mantine/core'
import { type CalendarMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { useOpenBudgetScreen } from '../shell/BudgetLink.tsx'
import type { SelectableBudget } from '../shell/core.ts'
import textStyles from '../ui/labels/text.module.css'

/** Says that a month's figures belong to another budget and are read-only here. A button opens that budget. */
export function BudgetOfRecordNotice({ record, month }: { record: SelectableBudget; month: CalendarMonth }) {
  const openAt = useOpenBudgetScreen()
  const { locationId, mongoId: budgetId, name } = record
  const here = `${window.location.pathname}${window.location.search}`
  return (
    <p className={textStyles.since} role="status">
      <span>
        The figures for {formatMonth(month)} belong to <b>{name}</b>, so they are read-only here.{' '}
        <Button size="compact-xs" variant="light" onClick={() => void openAt({ locationId, budgetId }, here)}>
          Open {name}
        </Button>
      </span>
    </p>
  )
}
