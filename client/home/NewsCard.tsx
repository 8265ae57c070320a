import { displayDate } from '../../domain/values/format.ts'
import { useMessages } from '../shell/useMessages.ts'
import { RichView } from '../ui/labels/RichView.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

/** News for the user, newest first. */
export function NewsCard() {
  const { data } = useMessages()
  if (!data?.news.length) return null
  return (
    <Card>
      <CardHead>News</CardHead>
      <ul className={classes.news}>
        {data.news.map((article) => (
          <li key={article.id}>
            <h2>{String(article.title)}</h2>
            <p className={textStyles.dim}>{displayDate(String(article.active))}</p>
            <RichView html={String(article.message)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
