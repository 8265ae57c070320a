import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { BudgetElementRow } from '../../domain/budget/budget.ts'
import { type BudgetTableKind, budgetTableKinds } from '../../domain/resources/entities/budget/budget.ts'
import { RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { DateField } from '../ui/fields/DateField.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'

export type BudgetTableRowDraft = { [K in keyof BudgetElementRow]: BudgetElementRow[K] | null }

export function BudgetTableRows({
  kind,
  rows,
  onChange,
  error,
  disabled,
}: {
  kind: BudgetTableKind
  rows: BudgetTableRowDraft[]
  onChange: (rows: BudgetTableRowDraft[]) => void
  error?: string
  disabled: boolean
}) {
  const set = (index: number, part: Partial<BudgetTableRowDraft>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <Card style={{ overflow: 'visible' }} data-field={kind}>
      <CardHead>
        {budgetTableKinds[kind].label} <CardNote>the table that applies from each date</CardNote>
      </CardHead>
      <CardBody style={{ display: 'grid', gap: 8 }}>
        {rows.map((row, index) => (
          <div key={index} style={{ display: 'grid', gridTemplateColumns: '150px minmax(0, 1fr) 34px', gap: 8, alignItems: 'center' }}>
            <DateField
              label={`Effective date ${index + 1}`}
              bare
              value={row.effectiveDate}
              onChange={(effectiveDate) => set(index, { effectiveDate })}
              disabled={disabled}
              required
            />
            <RecordPicker
              to={budgetTableKinds[kind].of}
              where={budgetTableKinds[kind].type === null ? undefined : { type: budgetTableKinds[kind].type }}
              label={`Table ${index + 1}`}
              bare
              value={row.adminTableId}
              onChange={(adminTableId) => set(index, { adminTableId })}
              disabled={disabled}
            />
            {!disabled && (
              <RemoveButton
                label={`Remove ${budgetTableKinds[kind].label} row ${index + 1}`}
                onRemove={() => onChange(rows.filter((_row, at) => at !== index))}
              />
            )}
          </div>
        ))}
        {error && (
          <span className={textStyles.up} role="alert">
            {error}
          </span>
        )}
        {!disabled && (
          <div>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...rows, { effectiveDate: null, adminTableId: null }])}
            >
              Add table
            </Button>
          </div>
        )}
      </CardBody>
    </Card>
  )
}
