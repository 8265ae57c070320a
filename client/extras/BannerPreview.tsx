import { Banner } from '../messages/Banner.tsx'
import type { FormPart } from './extras.ts'

/** The banner as people will see it, while it is typed (behaviour B-254). */
export function BannerPreview({ values }: FormPart) {
  return (
    <section className="card" aria-label="Preview">
      <div className="card-head">Preview</div>
      <div className="card-body">
        <Banner title={String(values.title ?? '') || 'Title'} message={String(values.message ?? '')} type={Number(values.type ?? 1)} />
      </div>
    </section>
  )
}
