import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { api, problemOf } from '../api/api.ts'
import { NotFound } from '../shell/Guard.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { Article } from './Article.tsx'

/** A help article at its address (behaviour B-038). */
export function AssistPage() {
  const { slug = '' } = useParams()
  const article = useQuery({ queryKey: ['article', slug], queryFn: () => api.communications.article.query({ slug }) })
  if (article.isError)
    return problemOf(article.error).kind === 'notFound' ? <NotFound /> : <p role="alert">{problemOf(article.error).message}</p>
  if (!article.data) return <Spinner />
  const { title, article: html, image, video } = article.data
  return (
    <>
      <PageHead title={String(title)} facts="Help" />
      <div className="card card-body">
        <Article title={String(title)} html={String(html)} image={image as number | null} video={video as string | null} />
      </div>
    </>
  )
}
