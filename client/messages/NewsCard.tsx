import { displayDate } from '../../domain/format.ts'
import { RichView } from './RichView.tsx'
import { useMessages } from './useMessages.ts'

/** The news for the user, newest first. */
export function NewsCard() {
  const { data } = useMessages()
  if (!data?.news.length) return null
  return (
    <section className="card">
      <div className="card-head">News</div>
      <ul className="news">
        {data.news.map((article) => (
          <li key={article.id}>
            <h2>{String(article.title)}</h2>
            <p className="dim">{displayDate(String(article.active))}</p>
            <RichView html={String(article.message)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
