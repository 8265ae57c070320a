import { StoredImage } from '../shell/images/StoredImage.tsx'
import { RichTextView } from '../ui/labels/RichTextView.tsx'
import classes from './Article.module.css'

/** A news or help article. The title is shown only in a preview, because elsewhere the page shows it. */
export function Article({
  title,
  html,
  image,
  video,
  isPreview,
}: {
  isPreview?: boolean
  title: string
  html: string
  image?: number | null
  video?: string | null
}) {
  return (
    <article className={classes.article}>
      {isPreview && <h2>{title}</h2>}
      {image && <StoredImage id={image} alt="" />}
      <RichTextView html={html} />
      {video && (
        <iframe src={video} title={`Video: ${title}`} allowFullScreen loading="lazy" referrerPolicy="strict-origin-when-cross-origin" />
      )}
    </article>
  )
}
