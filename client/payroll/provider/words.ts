import type { PayMeaning } from '../../../domain/payroll/provider/columns.ts'
import type { PayTextKind } from '../../../domain/payroll/provider/rows.ts'
import type { ProviderSetup } from './payrollFile.ts'

export const payMeaningNames: Record<PayMeaning, string> = {
  employeeNumber: 'Employee number',
  code: 'Payroll code',
  codeName: 'Code name',
  amount: 'Amount',
  sign: 'Debit or credit',
  element: 'Element',
  location: 'Location',
  month: 'Month',
  sortCode: 'Sort code',
  bankAccount: 'Bank account',
}

/** Lists the records that each kind of text can map to, as picker options. */
export function listMappingTargets({ codes, locations }: ProviderSetup): Record<PayTextKind, { id: number; label: string }[]> {
  return {
    code: codes.map((one) => ({ id: one.id, label: `${one.codes[0]} ${one.name}`.trim() })),
    location: locations.filter((one) => !one.isArchived).map((one) => ({ id: one.id, label: one.name })),
  }
}
