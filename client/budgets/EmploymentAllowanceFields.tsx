import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { budgetCodeType } from '../../domain/lookups/lookupIds.ts'
import { RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { usePermissionCheck } from '../shell/core.ts'

interface Claim {
  claimsEmploymentAllowance: boolean
  allowanceBudgetCodeId: number | null
  allowanceCostCentreId: number | null
}

/**
 * Fields for whether a group claims the Employment Allowance, and the codes that it is posted to. Shown to users who can change the levy.
 */
export function EmploymentAllowanceFields({
  editor: { values, set, error },
}: {
  editor: { values: Claim; set: (change: Partial<Claim>) => void; error: (field: keyof Claim) => ReactNode }
}) {
  const isFixed = !usePermissionCheck()(['ConsoleApprenticeshipLevyReadUpdate'])
  const { claimsEmploymentAllowance: isClaimed, allowanceBudgetCodeId: code, allowanceCostCentreId: centre } = values
  return (
    <>
      <div data-field="claimsEmploymentAllowance">
        <Switch
          label="Claim the Employment Allowance"
          description="Reduces the employer national insurance of these budgets from April, with the reduction posted in the central budget. Maintained schools may not claim it, and an employer may claim it only once."
          checked={isClaimed}
          disabled={isFixed}
          error={error('claimsEmploymentAllowance')}
          onChange={({ currentTarget }) => set({ claimsEmploymentAllowance: currentTarget.checked })}
        />
      </div>
      {isClaimed && (
        <>
          <div data-field="allowanceBudgetCodeId">
            <RecordPicker
              to="budgetCode"
              label="Budget code for the allowance"
              description="Without a code the allowance is not calculated."
              where={{ type: budgetCodeType.expenditure }}
              value={code}
              disabled={isFixed}
              error={error('allowanceBudgetCodeId')}
              onChange={(allowanceBudgetCodeId) => set({ allowanceBudgetCodeId })}
            />
          </div>
          <div data-field="allowanceCostCentreId">
            <RecordPicker
              to="costCentre"
              label="Cost centre for the allowance"
              value={centre}
              disabled={isFixed}
              error={error('allowanceCostCentreId')}
              onChange={(allowanceCostCentreId) => set({ allowanceCostCentreId })}
            />
          </div>
        </>
      )}
    </>
  )
}
