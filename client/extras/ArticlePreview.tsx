import { Article } from '../messages/Article.tsx'
import type { FormPart } from './extras.ts'

const embed = /^https:\/\/www\.youtube(-nocookie)?\.com\/embed\/[\w-]{11}(\?[^\s#]*)?$/

/** The article as people will read it, while it is typed (behaviour B-255). */
export function ArticlePreview({ values }: FormPart) {
  const video = String(values.video ?? '')
  return (
    <section className="card" aria-label="Preview">
      <div className="card-head">Preview</div>
      <div className="card-body">
        <Article
          isPreview
          title={String(values.title ?? '') || 'Title'}
          html={String(values.article ?? values.message ?? '')}
          image={(values.image as number | null) ?? null}
          video={embed.test(video) ? video : null}
        />
      </div>
    </section>
  )
}
