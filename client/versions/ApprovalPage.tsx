import { Alert, Button, Group, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Obstacle, ObstaclePage } from '../../domain/budget/obstacles.ts'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { displayDateTime, displayList } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { OutOfDateNotice } from '../budget/OutOfDateNotice.tsx'
import { answerCache, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useRecalculationState } from '../shell/useRecalculationState.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import historyStyles from '../ui/history.module.css'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { ApprovalComments } from './ApprovalComments.tsx'
import { ApprovalFigures } from './ApprovalFigures.tsx'

/** The page where each kind of obstacle is fixed. */
const pages: Record<ObstaclePage, { path: string; title: string }> = {
  group: { path: '/console/budget-management/groups', title: 'Budget groups' },
  checks: { path: '/staffing/checks', title: 'Staffing checks' },
  entries: { path: '/non-staffing/budget-entries', title: 'Entries' },
}

type Step = 'submit' | 'return' | 'approve'
const titles: Record<Step, string> = { submit: 'Submit for approval', return: 'Return', approve: 'Approve and lock' }
const tones = { submitted: 'warn', returned: 'bad', approved: 'good' } as const
const stepLabels = { submitted: 'Submitted', returned: 'Returned', approved: 'Approved' }

function StepDialog({ step, onClose }: { step: Step; onClose: () => void }) {
  const [comment, setComment] = useState('')
  const [name, setName] = useState('')
  const run = trpc.approval[step].useMutation({
    onSuccess: () => {
      notifySuccess(step === 'approve' ? notices.locked : notices.saved)
      onClose()
    },
    onError: notifyFailure,
  })
  const problem = run.error ? toPublicError(run.error) : null
  const at = (field: string): string | undefined => problem?.fields.find((one) => one.field === field)?.message
  return (
    <Dialog onClose={onClose} title={titles[step]}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          run.mutate({ comment, ...(step === 'approve' ? { name } : {}) })
        }}
      >
        <SectionStack>
          {step === 'approve' && (
            <>
              <p className={textStyles.dim} style={{ margin: 0 }}>
                The submitted version is named, and the budget is locked: it can never be changed again.
              </p>
              <TextInput
                label="Version name"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                placeholder="Approved by governors 12 May"
                error={at('name')}
                maxLength={100}
                data-autofocus
              />
            </>
          )}
          <Textarea
            label={step === 'return' ? 'What needs to change' : 'Comment'}
            required={step === 'return'}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
            error={at('comment')}
            autosize
            minRows={3}
            maxLength={2000}
            data-autofocus={step !== 'approve' || undefined}
          />
          {problem && !problem.fields.length && (
            <span className={textStyles.up} role="alert">
              {problem.message}
            </span>
          )}
        </SectionStack>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending} color={step === 'approve' ? 'red' : undefined}>
            {titles[step]}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** A list of obstacles, each with a link to the page that fixes it; renders nothing if there are none. */
function Obstacles({ title, color, obstacles }: { title: string; color: string; obstacles: readonly Obstacle[] }) {
  if (!obstacles.length) return null
  return (
    <Alert color={color} title={title}>
      <ul>
        {obstacles.map((one) => (
          <li key={one.code}>
            {one.sentence} <Link to={pages[one.page].path}>{pages[one.page].title}</Link>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** Says, before the submission, who else can approve the budget, or that nobody else can. */
function Approvers({ names, mayDecide }: { names: readonly string[]; mayDecide: boolean }) {
  const may = usePermissionCheck()
  const shown = names.length > 3 ? [...names.slice(0, 3), 'others'] : names
  if (shown.length) return <Alert>After you submit it, {displayList(shown)} can approve it. You cannot approve it yourself.</Alert>
  return (
    <Alert color="orange" title="Nobody else can approve this budget">
      {mayDecide
        ? 'You may approve it yourself, but a second person should. Add someone whose user group may change budgets in the console.'
        : 'Ask an administrator to add someone whose user group may change budgets in the console.'}{' '}
      {may(listViewPermissions('ConsoleUsers')) && <Link to="/console/general/users">Users</Link>}
    </Alert>
  )
}

function prepare(): void {
  void answerCache.approval.state.prefetch()
  void answerCache.approval.comments.prefetch()
}

/** The approval state of a budget, with the comments on it. */
export function ApprovalPage() {
  const may = usePermissionCheck()
  const [step, setStep] = useState<Step | null>(null)
  const { isRequired, isRunning } = useRecalculationState()
  const state = trpc.approval.state.useQuery()
  const maySubmit = may(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'])
  const mayDecide = may(['ConsoleBudgetManagementReadUpdate'])
  const mayRead = may(listViewPermissions('BudgetingOverview'))
  if (state.isLoadingError) return <LoadFailed query={state} />
  if (!state.data) return <Skeleton height={200} />
  const { approval, locked, trail, obstacles, approvers } = state.data
  const isOpen = approval?.state === 'submitted'
  // A budget with outdated figures can be neither submitted nor approved.
  const isStale = isRequired || isRunning
  const isRefused = isStale || obstacles.some((one) => one.isRefused)
  const listed = obstacles.filter((one) => one.code !== 'recalculationRequired')
  return (
    <>
      <PageHead
        title="Approval"
        documentTitle="Approval - Overview"
        pills={
          locked ? (
            <Pill tone="warn">Locked</Pill>
          ) : (
            <Pill tone={approval ? tones[approval.state] : undefined}>{approval ? stepLabels[approval.state] : 'Not submitted'}</Pill>
          )
        }
        facts={
          maySubmit || mayDecide
            ? 'Submitted budgets are approved or returned. Approving names the version and locks the budget.'
            : 'You can read this budget and its comments. Only people with permission can submit or approve it.'
        }
      >
        {!locked && !isOpen && maySubmit && (
          <Button disabled={isRefused} onClick={() => setStep('submit')}>
            Submit for approval
          </Button>
        )}
        {!locked && isOpen && mayDecide && (
          <>
            <Button variant="default" onClick={() => setStep('return')}>
              Return
            </Button>
            <Button disabled={isRefused} onClick={() => setStep('approve')}>
              Approve and lock
            </Button>
          </>
        )}
      </PageHead>
      <SectionStack>
        {!locked && isStale && (
          <Alert color="orange">
            <OutOfDateNotice />
          </Alert>
        )}
        <Obstacles title="Needed before approval" color="orange" obstacles={listed.filter((one) => one.isRefused)} />
        {!locked && !isOpen && approvers && <Approvers names={approvers} mayDecide={mayDecide} />}
        <Obstacles title="Check before approval" color="blue" obstacles={listed.filter((one) => !one.isRefused)} />
        {trail.length > 0 && (
          <Card aria-label="Status">
            <ul className={historyStyles.history}>
              {trail.map((one) => (
                <li key={one.at}>
                  <b>{stepLabels[one.state]}</b> by {one.by} on {displayDateTime(one.at)} ·{' '}
                  {mayRead ? <Link to={`/overview/versions/${one.version}`}>the budget at that time</Link> : `version ${one.version}`}
                  {one.comment && <p style={{ margin: '6px 0 0', whiteSpace: 'pre-wrap' }}>{one.comment}</p>}
                </li>
              ))}
            </ul>
          </Card>
        )}
        {mayRead && <ApprovalFigures />}
        <ApprovalComments locked={locked} />
      </SectionStack>
      {step && <StepDialog step={step} onClose={() => setStep(null)} />}
    </>
  )
}
ApprovalPage.prepare = prepare
