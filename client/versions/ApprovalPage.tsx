import { Button, Group, Modal, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { displayDateTime } from '../../domain/format.ts'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { reloadBudgets, useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { Comments } from './Comments.tsx'

type Step = 'submit' | 'return' | 'approve'
const titles: Record<Step, string> = { submit: 'Submit for approval', return: 'Return', approve: 'Approve and lock' }
const words = { submitted: 'Submitted', returned: 'Returned', approved: 'Approved' }

function StepDialog({ step, onClose }: { step: Step; onClose: () => void }) {
  const [comment, setComment] = useState('')
  const [name, setName] = useState('')
  const run = useMutation({
    mutationFn: () =>
      step === 'submit'
        ? api.approval.submit.mutate({ comment })
        : step === 'return'
          ? api.approval.return.mutate({ comment })
          : api.approval.approve.mutate({ comment, name }),
    onSuccess: async () => {
      said(step === 'approve' ? notices.locked : notices.saved)
      await Promise.all([queries.invalidateQueries(), reloadBudgets()])
      onClose()
    },
    onError: failed,
  })
  const problem = run.error ? problemOf(run.error) : null
  const at = (field: string): string | undefined => problem?.fields.find((one) => one.field === field)?.message
  return (
    <Modal opened onClose={onClose} title={titles[step]}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          run.mutate()
        }}
      >
        <div className="stack">
          {step === 'approve' && (
            <>
              <p className="dim" style={{ margin: 0 }}>
                The moment that was submitted gets a name, and the budget is locked: it can never be changed again.
              </p>
              <TextInput
                label="Name of the moment"
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
            label={step === 'return' ? 'What is to be changed' : 'Comment'}
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
            <span className="up" role="alert">
              {problem.message}
            </span>
          )}
        </div>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending} color={step === 'approve' ? 'red' : undefined}>
            {titles[step]}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** Where a budget stands on its way to being approved, and what people say of its figures. */
export function ApprovalPage() {
  const { budgetId } = useSelection()
  const may = useMay()
  const [step, setStep] = useState<Step | null>(null)
  const state = useQuery({ queryKey: ['approval', budgetId], queryFn: () => api.approval.state.query() })
  const maySubmit = may(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'])
  const mayDecide = may(['ConsoleBudgetManagementReadUpdate'])
  if (state.isError) return <LoadFailed query={state} />
  if (!state.data) return <Skeleton height={200} />
  const { approval, locked } = state.data
  const isOpen = approval?.state === 'submitted'
  return (
    <>
      <PageHead
        title="Approval"
        documentTitle="Approval - Overview"
        pills={
          locked ? (
            <span className="pill warn">Locked</span>
          ) : (
            <span className="pill">{approval ? words[approval.state] : 'Not submitted'}</span>
          )
        }
        facts="Submitted budgets are approved or returned. Approving names the moment and locks the budget."
      >
        {!locked && !isOpen && maySubmit && <Button onClick={() => setStep('submit')}>Submit for approval</Button>}
        {!locked && isOpen && mayDecide && (
          <>
            <Button variant="default" onClick={() => setStep('return')}>
              Return
            </Button>
            <Button onClick={() => setStep('approve')}>Approve and lock</Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        {approval && (
          <section className="card" aria-label="Where it stands">
            <div className="card-body">
              <b>{words[approval.state]}</b> by {approval.by} on {displayDateTime(approval.at)}{' '}
              <span className="dim">· version {approval.version}</span>
              {approval.comment && <p style={{ margin: '8px 0 0', whiteSpace: 'pre-wrap' }}>{approval.comment}</p>}
            </div>
          </section>
        )}
        <Comments locked={locked} />
      </div>
      {step && <StepDialog step={step} onClose={() => setStep(null)} />}
    </>
  )
}
