import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FundShare } from '../../../domain/resources/shares.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { RecordPicker } from './RecordPicker.tsx'

/** Fund shares that the user is editing; null for a code or a share that is not entered yet. */
type Shares = { [K in keyof FundShare]: FundShare[K] | null }[]

/** Fund codes with the percentage of the cost that each of them pays. A new row is filled with the remaining percentage. */
export function FundSharesInput({
  value,
  onChange,
  locationId,
  disabled = false,
  error,
}: {
  value: Shares
  onChange: (shares: Shares) => void
  locationId: LocationId | null
  disabled?: boolean
  error?: ReactNode
}) {
  const share = (index: number, part: Partial<Shares[number]>): void =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...part } : row)))
  const rest = 100 - value.reduce((sum, row) => sum + (row.percentage ?? 0), 0)
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <span style={{ fontSize: 14, fontWeight: 500 }}>Fund codes</span>
      {value.map((row, index) => (
        <div
          key={index}
          style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 110px 34px', gap: 8, alignItems: 'center', maxWidth: 520 }}
        >
          <RecordPicker
            to="fundCode"
            label={`Fund code ${index + 1}`}
            bare
            value={row.fundCodeId}
            onChange={(fundCodeId) => share(index, { fundCodeId })}
            disabled={disabled}
            locationId={locationId}
          />
          <NumberField
            aria-label={`Share of fund code ${index + 1}`}
            value={row.percentage}
            onChange={(percentage) => share(index, { percentage })}
            suffix="%"
            decimalScale={4}
            min={0}
            max={100}
            hideControls
            disabled={disabled}
            styles={{ input: { textAlign: 'right' } }}
          />
          {!disabled && (
            <RemoveButton label={`Remove fund code ${index + 1}`} onRemove={() => onChange(value.filter((_row, at) => at !== index))} />
          )}
        </div>
      ))}
      {error && (
        <span className={textStyles.up} role="alert" style={{ fontSize: 13 }}>
          {error}
        </span>
      )}
      {!disabled && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...value, { fundCodeId: null, percentage: Math.max(0, Math.round(rest * 10_000) / 10_000) }])}
          >
            Add fund code
          </Button>
        </div>
      )}
    </div>
  )
}
