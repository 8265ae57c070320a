import { useParams } from 'react-router'
import { numberOrNull, textOrNull } from '../../domain/values/unknownValues.ts'
import { toPublicError, trpc } from '../shell/api.ts'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import cardStyles from '../ui/layout/Card.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Article } from './Article.tsx'

/** A help article by its slug (behaviour B-038). */
export function AssistPage() {
  const { slug = '' } = useParams()
  const article = trpc.communications.article.useQuery({ slug })
  if (article.isError)
    return toPublicError(article.error).kind === 'notFound' ? <NotFound /> : <p role="alert">{toPublicError(article.error).message}</p>
  if (!article.data) return <Spinner />
  const { title, article: html, image, video } = article.data
  return (
    <>
      <PageHead title={String(title)} facts="Help" />
      <Card className={cardStyles.cardBody}>
        <Article title={String(title)} html={String(html)} image={numberOrNull(image)} video={textOrNull(video)} />
      </Card>
    </>
  )
}
