import { ActionIcon, Button, NumberInput, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ManyPicker, Picker } from '../resources/Picker.tsx'
import type { FormProps } from './ContractFields.tsx'
import type { Draft } from './draft.ts'

/** Where the cost belongs, and what else is to be known. */
export function ContractCoding({ draft, set, locationId, problems, disabled }: Omit<FormProps, 'inputs'>) {
  const error = (field: string): string | undefined =>
    problems.find((problem) => problem.field === field || problem.field.startsWith(`${field}.`))?.message
  const share = (index: number, part: Partial<Draft['fundCodes'][number]>): void =>
    set({ fundCodes: draft.fundCodes.map((row, at) => (at === index ? { ...row, ...part } : row)) })
  const rest = 100 - draft.fundCodes.reduce((sum, row) => sum + (row.percentage ?? 0), 0)
  return (
    <section className="card" style={{ overflow: 'visible' }}>
      <div className="card-head">Coding and notes</div>
      <div className="card-body fields">
        <div data-field="fundCodes" className="wide" style={{ display: 'grid', gap: 8 }}>
          <span style={{ fontSize: 14, fontWeight: 500 }}>Fund codes</span>
          {draft.fundCodes.map((row, index) => (
            <div
              key={index}
              style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 110px 34px', gap: 8, alignItems: 'center', maxWidth: 520 }}
            >
              <Picker
                to="fundCode"
                label={`Fund code ${index + 1}`}
                bare
                value={row.fundCodeId}
                onChange={(fundCodeId) => share(index, { fundCodeId })}
                disabled={disabled}
                locationId={locationId}
              />
              <NumberInput
                aria-label={`Share of fund code ${index + 1}`}
                value={row.percentage ?? ''}
                onChange={(value) => share(index, { percentage: value === '' ? null : Number(value) })}
                suffix=" %"
                decimalScale={4}
                min={0}
                max={100}
                hideControls
                disabled={disabled}
                styles={{ input: { textAlign: 'right' } }}
              />
              {!disabled && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove fund code ${index + 1}`}
                  onClick={() => set({ fundCodes: draft.fundCodes.filter((_row, at) => at !== index) })}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </div>
          ))}
          {error('fundCodes') && (
            <span className="up" role="alert" style={{ fontSize: 13 }}>
              {error('fundCodes')}
            </span>
          )}
          {!disabled && (
            <div>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconPlus size={14} />}
                onClick={() =>
                  set({
                    fundCodes: [...draft.fundCodes, { fundCodeId: null, percentage: Math.max(0, Math.round(rest * 10_000) / 10_000) }],
                  })
                }
              >
                Add fund code
              </Button>
            </div>
          )}
        </div>
        <div data-field="analysisTags" className="wide">
          <ManyPicker
            to="analysisTag"
            label="Analysis tags"
            value={draft.analysisTags}
            onChange={(analysisTags) => set({ analysisTags })}
            error={error('analysisTags')}
            disabled={disabled}
            locationId={locationId}
            emptyText="None"
          />
        </div>
        <div data-field="notes" className="wide">
          <Textarea
            label="Notes"
            description="Kept sealed with the person's record."
            autosize
            minRows={2}
            maxLength={2000}
            value={draft.notes ?? ''}
            onChange={(event) => set({ notes: event.currentTarget.value })}
            error={error('notes')}
            disabled={disabled}
          />
        </div>
      </div>
    </section>
  )
}
