import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import { figure, penniesOf } from '../../domain/format.ts'
import type { PayComponent } from '../../domain/payroll/calculated.ts'
import { useMay } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'
import figuresStyles from '../ui/Figures.module.css'
import textStyles from '../ui/text.module.css'
import classes from './Differences.module.css'
import type { Employee, PayrollRow } from './employees.ts'

const componentNames: Record<PayComponent, string> = {
  basic: 'basic pay',
  allowance: 'allowances',
  leavePay: 'leave pay',
  ni: 'employer NI',
  pension: 'employer pension',
}

/** The codes of an employee, why they differ, and what can be done about it. */
export function EmployeeCodes({
  employee,
  hasPlaces,
  isReadOnly,
  isBusy,
  onAccept,
  onNote,
  onType,
  onCarry,
}: {
  employee: Employee
  hasPlaces: boolean
  isReadOnly: boolean
  isBusy: boolean
  onAccept: (sentence: string) => void
  onNote: () => void
  onType: (row: PayrollRow) => void
  onCarry: () => void
}) {
  const { rows, explained } = employee
  const explanations = explained?.explanations ?? []
  const amount = (pounds: number | null): string => (pounds === null ? '' : figure(penniesOf(pounds)))
  return (
    <>
      {rows.map((row) => {
        const parts = row.components.map((component) => componentNames[component]).join(', ')
        return (
          <tr key={row.payrollCode} className={classes.code}>
            <th scope="row">
              {row.payrollCode || 'Not coded'} {parts && <span className={textStyles.dim}>{parts}</span>}
            </th>
            {hasPlaces && <td />}
            <td>{row.calculated === null ? <span className={textStyles.missing}>not calculated</span> : amount(row.calculated)}</td>
            <td>
              {isReadOnly || row.payrollCode === '' || row.employeeNumber === '' ? (
                amount(row.actual)
              ) : (
                <button
                  type="button"
                  className={figuresStyles.figure}
                  aria-label={`Actual of ${row.payrollCode}: ${amount(row.actual) || 'none'}. Type another.`}
                  onClick={() => onType(row)}
                >
                  {amount(row.actual) || 'type'}
                </button>
              )}
              {row.isTyped && <div className={textStyles.dim}>typed{row.imported !== null && `; imported ${amount(row.imported)}`}</div>}
            </td>
            <td>{row.broughtForward ? amount(row.broughtForward) : ''}</td>
            <td>{amount(row.difference)}</td>
            <td>{row.differencePercent === null ? '' : `${row.differencePercent.toFixed(1).replace('-', '−')} %`}</td>
            <td>{amount(row.carriedForward)}</td>
            <td />
            <td className={figuresStyles.text}>{row.status === 'matched' ? 'Matched' : ''}</td>
          </tr>
        )
      })}
      <tr className={classes.panel}>
        <td colSpan={hasPlaces ? 10 : 9}>
          {explanations.length > 0 && (
            <ul className={classes.causes} aria-label="Why">
              {explanations.map(({ sentence, change }) => (
                <li key={sentence}>
                  <span>{sentence}</span>
                  {!isReadOnly && employee.note !== sentence && (
                    <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => onAccept(sentence)}>
                      Accept
                    </Button>
                  )}
                  {'contractId' in change && <PutRight contractId={change.contractId} budgetId={explained!.budgetId} />}
                </li>
              ))}
            </ul>
          )}
          {!isReadOnly && employee.employeeNumber !== '' && (
            <Group gap="xs">
              <Button size="compact-sm" variant="default" disabled={isBusy} onClick={onNote}>
                {employee.note ? 'Change the note' : 'Write a note'}
              </Button>
              <Button size="compact-sm" variant="default" disabled={isBusy || employee.difference === null} onClick={onCarry}>
                {employee.carriedForward === null ? 'Carry forward' : 'Clear what is carried forward'}
              </Button>
            </Group>
          )}
        </td>
      </tr>
    </>
  )
}

/** The way to the contract that a cause is about, of the open budget. */
function PutRight({ contractId, budgetId }: { contractId: string; budgetId: string | null }) {
  const selection = useSelection()
  const isAllowed = useMay()
  if (budgetId !== selection.budgetId || !isAllowed(['BudgetingStaffingReadUpdate'])) return null
  return (
    <Link className={textStyles.dim} to={`/staffing/staff-contracts/${contractId}`}>
      Open the contract
    </Link>
  )
}
