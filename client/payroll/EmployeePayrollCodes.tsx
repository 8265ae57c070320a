import { Button, Group } from '@mantine/core'
import type { PayComponent } from '../../domain/payroll/calculatedPay.ts'
import { findPayColumn, payColumns } from '../../domain/payroll/employees.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayFigure, displayPercent, toPennies } from '../../domain/values/format.ts'
import { toNavigationState } from '../budget/suggestedPayChange.ts'
import { useOpenBudgetScreen } from '../shell/BudgetLink.tsx'
import { usePermissionCheck } from '../shell/core.ts'
import textStyles from '../ui/labels/text.module.css'
import tableStyles from '../ui/table/DataTable.module.css'
import classes from './Differences.module.css'
import type { EmployeeCauses, EmployeeDifference, PayrollRow } from './employees.ts'

const componentNames: Record<PayComponent, string> = {
  basic: 'basic pay',
  allowance: 'allowances',
  leavePay: 'leave pay',
  ni: 'employer NI',
  pension: 'employer pension',
}

/** The payroll codes of an employee, why their amounts differ, and the actions for each. */
export function EmployeePayrollCodes({
  employee,
  isReadOnly,
  isBusy,
  onAccept,
  onNote,
  onType,
  onCarry,
  onCarryAmount,
}: {
  employee: EmployeeDifference
  isReadOnly: boolean
  isBusy: boolean
  onAccept: (sentence: string) => void
  onNote: () => void
  onType: (row: PayrollRow) => void
  onCarry: () => void
  onCarryAmount: () => void
}) {
  const { rows, explained } = employee
  const explanations = explained?.explanations ?? []
  const amount = (pounds: number | null): string => (pounds === null ? '' : displayFigure(toPennies(pounds)))
  /** Shows the budgeted amount above the actual amount, which can be edited, in the column of the pay component. */
  const sides = (row: PayrollRow) => (
    <>
      <div>{row.calculated === null ? <span className={textStyles.missing}>not calculated</span> : amount(row.calculated)}</div>
      {isReadOnly || row.payrollCode === '' || row.employeeNumber === '' ? (
        amount(row.actual)
      ) : (
        <button
          type="button"
          className={tableStyles.figure}
          aria-label={`Actual of ${row.payrollCode}: ${amount(row.actual) || 'none'}. Enter another.`}
          onClick={() => onType(row)}
        >
          {amount(row.actual) || 'enter'}
        </button>
      )}
      {row.isTyped && <div className={textStyles.dim}>entered{row.imported !== null && `; imported ${amount(row.imported)}`}</div>}
    </>
  )
  return (
    <>
      {rows.map((row) => {
        const parts = row.components.map((component) => componentNames[component]).join(', ')
        return (
          <tr key={row.payrollCode} className={classes.code}>
            <th scope="row">
              {row.payrollCode || 'Not coded'} {parts && <span className={textStyles.dim}>{parts}</span>}
            </th>
            <td />
            {payColumns.map(({ id }) => (
              <td key={id} data-figure className={classes.part}>
                {findPayColumn(row) === id && sides(row)}
              </td>
            ))}
            <td data-figure>{findPayColumn(row) === null ? sides(row) : <div className={classes.onNarrow}>{sides(row)}</div>}</td>
            <td data-figure className={classes.part}>
              {row.broughtForward ? amount(row.broughtForward) : ''}
            </td>
            <td data-figure>
              <div>{amount(row.difference)}</div>
              {row.differencePercent !== null && <div className={textStyles.dim}>{displayPercent(row.differencePercent)}</div>}
            </td>
            <td data-figure>{amount(row.carriedForward)}</td>
            <td />
            <td>{row.status === 'matched' ? 'Matched' : ''}</td>
          </tr>
        )
      })}
      <tr className={classes.panel}>
        <td colSpan={payColumns.length + 8}>
          {explanations.length > 0 && (
            <ul className={classes.causes} aria-label="Causes">
              {explanations.map((explanation) => (
                <li key={explanation.sentence}>
                  <span>{explanation.sentence}</span>
                  {!isReadOnly && employee.note !== explanation.sentence && (
                    <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => onAccept(explanation.sentence)}>
                      Accept
                    </Button>
                  )}
                  <CorrectionLink why={explanation} explained={assertDefined(explained)} />
                  {explanation.second && (
                    <CorrectionLink why={{ ...explanation, change: explanation.second }} explained={assertDefined(explained)} isSecond />
                  )}
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
                {employee.carriedForward === null ? 'Carry forward' : 'Clear the amount carried forward'}
              </Button>
              <Button size="compact-sm" variant="default" disabled={isBusy} onClick={onCarryAmount}>
                Carry part forward
              </Button>
            </Group>
          )}
        </td>
      </tr>
    </>
  )
}

/** A link to the record to correct: the contract with the change filled in but not saved, or the person's leave or age. */
function CorrectionLink({
  why: { sentence, change },
  explained,
  isSecond = false,
}: {
  why: EmployeeCauses['explanations'][number]
  explained: EmployeeCauses
  isSecond?: boolean
}) {
  const isAllowed = usePermissionCheck()
  const openBudgetScreen = useOpenBudgetScreen()
  const { staffId, budgetId, locationId } = explained
  if (!isAllowed(['BudgetingStaffingReadUpdate']) || !budgetId) return null
  const isContract = 'contractId' in change
  const isPerson = change.kind === 'leave' || change.kind === 'age'
  if (!isContract && !(isPerson && staffId !== null)) return null
  // Open the budget for which the contract's cost was calculated. It may be that of another school.
  const go = () =>
    isContract
      ? openBudgetScreen(
          { locationId, budgetId },
          `/staffing/staff-contracts/${change.contractId}`,
          toNavigationState({ sentence, change }),
        )
      : openBudgetScreen({ locationId, budgetId }, `/staffing/staff-members/${staffId}`)
  return (
    <Button size="compact-sm" variant="subtle" onClick={() => void go()}>
      {isContract ? (isSecond ? 'Correct the second cause' : 'Correct it') : 'Open the person'}
    </Button>
  )
}
