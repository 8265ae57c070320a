import { StoredImage } from '../resources/inputs/StoredImage.tsx'
import { RichView } from './RichView.tsx'

/** A news or help article as people read it. */
export function Article({ title, html, image, video }: { title: string; html: string; image?: number | null; video?: string | null }) {
  return (
    <article className="article">
      <h1>{title}</h1>
      {image && <StoredImage id={image} alt="" />}
      <RichView html={html} />
      {video && (
        <iframe src={video} title={`Video: ${title}`} allowFullScreen loading="lazy" referrerPolicy="strict-origin-when-cross-origin" />
      )}
    </article>
  )
}
