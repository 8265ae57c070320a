import { Textarea } from '@mantine/core'
import { ManyPicker } from '../resources/Picker.tsx'
import type { FormProps } from './ContractFields.tsx'
import { FundShares } from './FundShares.tsx'

/** Where the cost belongs, and what else is to be known. */
export function ContractCoding({ draft, set, locationId, problems, disabled }: Omit<FormProps, 'inputs'>) {
  const error = (field: string): string | undefined =>
    problems.find((problem) => problem.field === field || problem.field.startsWith(`${field}.`))?.message
  return (
    <section className="card" style={{ overflow: 'visible' }}>
      <div className="card-head">Coding and notes</div>
      <div className="card-body fields">
        <div data-field="fundCodes" className="wide">
          <FundShares
            value={draft.fundCodes}
            onChange={(fundCodes) => set({ fundCodes })}
            locationId={locationId}
            disabled={disabled}
            error={error('fundCodes')}
          />
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
