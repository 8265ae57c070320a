import { Textarea } from '@mantine/core'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { FundSharesInput } from '../../resources/inputs/FundShares.tsx'
import { MultiRecordPicker } from '../../resources/inputs/RecordPicker.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { MemoizedPart } from '../../ui/MemoizedPart.tsx'
import type { ContractFormProps } from './ContractFields.tsx'

const { fields } = staffContract

/** Fields for the codes, tags and notes of a contract. */
export function ContractCoding({ draft, set, locationId, problems, disabled }: Omit<ContractFormProps, 'inputs'>) {
  const error = (field: string): string | undefined =>
    problems.find((problem) => problem.field === field || problem.field.startsWith(`${field}.`))?.message
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>Coding and notes</CardHead>
      <CardBody className={fieldsStyles.fields}>
        <MemoizedPart of={[draft.fundCodes, locationId, error('fundCodes'), disabled]}>
          {() => (
            <div data-field="fundCodes" className={fieldsStyles.wide}>
              <FundSharesInput
                value={draft.fundCodes}
                onChange={(fundCodes) => set({ fundCodes })}
                locationId={locationId}
                disabled={disabled}
                error={error('fundCodes')}
              />
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.analysisTags, locationId, error('analysisTags'), disabled]}>
          {() => (
            <div data-field="analysisTags" className={fieldsStyles.wide}>
              <MultiRecordPicker
                to="analysisTag"
                label={fields.analysisTags.label}
                value={draft.analysisTags}
                onChange={(analysisTags) => set({ analysisTags })}
                error={error('analysisTags')}
                disabled={disabled}
                locationId={locationId}
                emptyText="None"
              />
            </div>
          )}
        </MemoizedPart>
        <MemoizedPart of={[draft.notes, error('notes'), disabled]}>
          {() => (
            <div data-field="notes" className={fieldsStyles.wide}>
              <Textarea
                label={fields.notes.label}
                description={fields.notes.help}
                autosize
                minRows={2}
                maxLength={fields.notes.max}
                value={draft.notes ?? ''}
                onChange={(event) => set({ notes: event.currentTarget.value })}
                error={error('notes')}
                disabled={disabled}
              />
            </div>
          )}
        </MemoizedPart>
      </CardBody>
    </Card>
  )
}
