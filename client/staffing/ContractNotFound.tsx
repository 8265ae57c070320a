import { NotFound } from '../shell/screens/Guard.tsx'

/** Stands where there is no such contract in the open budget. */
export function ContractNotFound() {
  return <NotFound back={{ to: '/staffing/staff-contracts', label: 'Back to the list' }} />
}
