import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { usePermissionCheck } from '../shell/core.ts'
import { findCommentPath } from '../shell/findCommentPath.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

const AnswerForm = lazyComponent(() => import('./AnswerForm.tsx'), 'CommentReplyForm')

/** Unread comments that mention the user, each with a link to the screen where it was written. */
export function CommentsCard() {
  const may = usePermissionCheck()
  const comments = trpc.home.comments.useQuery()
  if (comments.isError) return <LoadFailed query={comments} />
  if (!comments.data?.count) return null
  const { count, first } = comments.data
  return (
    <Card aria-label="Unread comments">
      <CardHead>
        Unread comments <CardNote>{count}</CardNote>
      </CardHead>
      <ul className={classes.waiting}>
        {first.map((one) => (
          <li key={one.id}>
            <span>
              <b>{one.by}</b> {one.isMention ? 'mentioned you on' : 'commented on'}{' '}
              <BudgetLink budget={one} to={findCommentPath(one, one.budgetId, may) ?? '/overview/approval'}>
                {one.name ?? one.budget}
              </BudgetLink>
            </span>
            <span>{one.text.length > 200 ? `${one.text.slice(0, 200)}…` : one.text}</span>
            <span className={textStyles.dim}>
              {one.location}, {one.budget} · {displayDateTime(one.at)}
            </span>
            {one.mayAnswer && (
              <PageSection height={36}>
                <AnswerForm comment={one} />
              </PageSection>
            )}
          </li>
        ))}
        {count > first.length && <li className={textStyles.dim}>and {displayCount(count - first.length, 'other', 'others')}</li>}
      </ul>
    </Card>
  )
}
