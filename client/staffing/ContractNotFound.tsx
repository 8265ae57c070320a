import { NotFound } from '../shell/screens/Guard.tsx'

export function ContractNotFound() {
  return <NotFound back={{ to: '/staffing/staff-contracts', label: 'Back to the list' }} />
}
