import { displayDate } from '../../domain/values/format.ts'
import { useMessagesAndNews } from '../shell/useMessagesAndNews.ts'
import { RichTextView } from '../ui/labels/RichTextView.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

/** News for the user, newest first. */
export function NewsCard() {
  const { data } = useMessagesAndNews()
  if (!data?.news.length) return null
  return (
    <Card>
      <CardHead>News</CardHead>
      <ul className={classes.news}>
        {data.news.map((article) => (
          <li key={article.id}>
            <h2>{String(article.title)}</h2>
            <p className={textStyles.dim}>{displayDate(String(article.active))}</p>
            <RichTextView html={String(article.message)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
