import { Alert, Button } from '@mantine/core'
import type { Draft } from './draft.ts'

const names: Partial<Record<keyof Draft, string>> = {
  employeeNumber: 'Employee',
  type: 'Pay scale type',
  contractName: 'Contract name',
  contractTypeName: 'Contract type',
  maximumScalePoint: 'Maximum scale point',
  startDate: 'Start date',
  endDate: 'End date',
  position: 'Position',
  department: 'Department',
  apprentice: 'Apprentice',
  attritionContract: 'Attrition contract',
  notes: 'Notes',
  serviceTerms: 'Payroll codes',
  analysisTags: 'Analysis tags',
  fundCodes: 'Fund codes',
  salary: 'Salary information',
}

export function changedFields(before: Draft, after: Draft): (keyof Draft)[] {
  return (Object.keys(names) as (keyof Draft)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** What I typed stays; everything I did not touch takes the newer value. */
export function merged(base: Draft, mine: Draft, newer: Draft): Draft {
  return { ...newer, ...Object.fromEntries(changedFields(base, mine).map((name) => [name, mine[name]])) }
}

/** Says what somebody else changed meanwhile, and lets the user choose whose values stay. */
export function Newer({ base, newer, onKeep, onTake }: { base: Draft; newer: Draft; onKeep: () => void; onTake: () => void }) {
  const changed = changedFields(base, newer)
  return (
    <Alert color="orange" title="Somebody else has changed this contract" mb="md">
      <p style={{ margin: '0 0 10px' }}>They changed: {changed.map((name) => names[name]).join(', ') || 'nothing that stands here'}.</p>
      <Button size="compact-sm" mr="xs" onClick={onKeep}>
        Keep my changes on top
      </Button>
      <Button size="compact-sm" variant="default" onClick={onTake}>
        Take theirs
      </Button>
    </Alert>
  )
}
