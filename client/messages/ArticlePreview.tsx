import { numberOrNull } from '../../domain/values/unknownValues.ts'
import type { FormPartProps } from '../resources/entityExtras.ts'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import { Article } from './Article.tsx'

const embed = /^https:\/\/www\.youtube(-nocookie)?\.com\/embed\/[\w-]{11}(\?[^\s#]*)?$/

/** A preview of the article as readers will see it, updated while typing (behaviour B-255). */
export function ArticlePreview({ values }: FormPartProps) {
  const video = String(values.video ?? '')
  return (
    <Card aria-label="Preview">
      <CardHead>Preview</CardHead>
      <CardBody>
        <Article
          isPreview
          title={String(values.title ?? '') || 'Title'}
          html={String(values.article ?? values.message ?? '')}
          image={numberOrNull(values.image)}
          video={embed.test(video) ? video : null}
        />
      </CardBody>
    </Card>
  )
}
