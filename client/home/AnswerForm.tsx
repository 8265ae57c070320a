import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { useUnsavedChanges } from '../shell/unsavedChanges.ts'
import classes from './AnswerForm.module.css'

/**
 * A box for answering a comment without leaving the page. Sending the answer notifies the comment’s author and marks the comment as read.
 */
export function CommentReplyForm({ comment: { id, budgetId, by } }: { comment: RouterOutputs['home']['comments']['first'][number] }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const answer = trpc.home.answer.useMutation()
  useUnsavedChanges(text.trim() !== '')
  const send = async (): Promise<void> => {
    setProblem(null)
    try {
      await answer.mutateAsync({ budgetId, id, text })
      setText('')
      notifySuccess(`Answered ${by}`)
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
  }
  return (
    <form
      noValidate
      className={classes.answer}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Textarea
        aria-label={`Answer ${by}`}
        placeholder={`Answer ${by}`}
        autosize
        minRows={1}
        maxLength={2000}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={!text.trim()} loading={answer.isPending}>
        Answer
      </Button>
    </form>
  )
}
