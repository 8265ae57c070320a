import { NotFound } from '../shell/screens/ScreenGuard.tsx'

export function ContractNotFound() {
  return <NotFound back={{ to: '/staffing/staff-contracts', label: 'Back to the list' }} />
}
