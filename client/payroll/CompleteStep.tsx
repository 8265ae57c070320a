import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { completionType, payrollMonthState } from '../../domain/lookups/lookupIds.ts'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayCount, displayDateTime, displayMoney, toPennies } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { ReopenMonthDialog } from '../budget/ReopenMonthDialog.tsx'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { downloadReply } from '../shell/files/downloadReply.ts'
import { RequestFileButton } from '../shell/files/RequestFileButton.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { Card, CardBody } from '../ui/layout/Card.tsx'
import { FactsTable } from '../ui/table/FactsTable.tsx'
import { FileTotalsProof } from './FileTotalsProof.tsx'
import type { ReconciliationChanges, ReconciliationScope } from './reconciliationChanges.ts'

type Reconciled = RouterOutputs['payroll']['reconcile']

/**
 * Completes a month, with or without carrying differences forward, and reopens it with a reason (behaviours B-211 and
 * B-212).
 */
export function CompleteMonthStep({
  level,
  changes,
  isReadOnly,
  isWhatIf,
  standing,
  totals,
  broughtForward,
  proof,
  unexplained,
  remaining,
}: {
  level: ReconciliationScope
  changes: ReconciliationChanges
  isReadOnly: boolean
  /** Whether the figures are a what-if. If so, the report cannot be signed off. */
  isWhatIf: boolean
  standing: RouterOutputs['payroll']['standing'] | undefined
  totals: Reconciled['totals']
  /** In whole pennies. */
  broughtForward: number
  proof: Reconciled['proof']
  /** How many employees have a difference without a note that is not carried forward. */
  unexplained: number
  /** How many employees have a difference that is not carried forward. */
  remaining: number
}) {
  const [isBusy, setBusy] = useState(false)
  const [isReopening, setReopening] = useState(false)
  const monthName = formatMonth(level)
  const complete = async (type: 1 | 2): Promise<void> => {
    setBusy(true)
    try {
      await changes.completeMonth(type)
      notifySuccess(notices.completed(monthName))
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  const { mutateAsync: createReport } = trpc.payroll.report.paper.useMutation()
  const requestReport = (): Promise<{ id: string }> => {
    const { year, month, groupId } = level
    return createReport({ year, month, group: groupId })
  }
  const downloadReport = async (): Promise<void> => {
    setBusy(true)
    try {
      const { year, month, groupId } = level
      await downloadReply(`/api/monitoring/PayrollRec/report/${year}/${month}${groupId ? `/${groupId}` : ''}`)
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  const isComplete = standing?.state === payrollMonthState.complete
  return (
    <Card aria-label="Complete the month">
      <FactsTable
        facts={[
          ['Budget', displayMoney(toPennies(totals.calculated))],
          ['Actual', displayMoney(toPennies(totals.actual))],
          ...(broughtForward === 0 ? [] : [['Brought forward', displayMoney(broughtForward)] as const]),
          [
            'Difference',
            `${displayMoney(toPennies(totals.difference))}${broughtForward === 0 ? '' : ', including amounts brought forward'}`,
          ],
          ['Not carried forward', `${displayCount(remaining, 'employee')} with a difference`],
          ['Unexplained', displayCount(unexplained, 'employee')],
          ...(totals.notCalculated > 0
            ? [['Not calculated', `${displayCount(totals.notCalculated, 'row')}, which are not included in any difference`] as const]
            : []),
          ...(standing?.completed
            ? [
                [
                  'Completed',
                  `${standing.completed.by}, ${displayDateTime(standing.completed.at)}${
                    standing.completionType === completionType.carryForward ? '; remaining differences were carried forward' : ''
                  }`,
                ] as const,
              ]
            : []),
          ...(standing?.reopened
            ? [
                [
                  'Last reopened',
                  `${standing.reopened.by}, ${displayDateTime(standing.reopened.at)}${
                    standing.reopened.reason ? `: ${standing.reopened.reason}` : ''
                  }`,
                ] as const,
              ]
            : []),
        ]}
      />
      <CardBody>
        {proof && <FileTotalsProof proof={proof} />}
        <Group mt="md">
          <Button variant="default" disabled={isBusy || isWhatIf} onClick={() => void downloadReport()}>
            Report as Excel
          </Button>
          <RequestFileButton
            title={`Payroll reconciliation for ${monthName}`}
            label="Report to sign, as PDF"
            isDisabled={isBusy || isWhatIf}
            ask={requestReport}
          />
          {isWhatIf && (
            <Text size="sm" c="dimmed">
              Reports always use the budget, not a what-if: go back to the budget to create a report.
            </Text>
          )}
        </Group>
        {!isReadOnly && standing?.isWhole === false && (
          <Text size="sm" c="dimmed" mt="md">
            This month includes locations that you cannot see. Someone with access to all of them must complete it.
          </Text>
        )}
        {!isReadOnly && standing?.isWhole && (
          <Group justify="flex-end" mt="md">
            {isComplete ? (
              <Button variant="default" onClick={() => setReopening(true)}>
                Reopen {monthName}
              </Button>
            ) : (
              <>
                <Button variant="default" disabled={isBusy} onClick={() => void complete(1)}>
                  Complete
                </Button>
                <Button disabled={isBusy} onClick={() => void complete(2)}>
                  Complete and carry {displayCount(remaining, 'difference')} forward
                </Button>
              </>
            )}
          </Group>
        )}
      </CardBody>
      {isReopening && (
        <ReopenMonthDialog
          words={monthName}
          reopen={changes.reopenMonth}
          onClose={() => setReopening(false)}
          onDone={() => setReopening(false)}
        />
      )}
    </Card>
  )
}
