import type { FormPartProps } from '../resources/entityExtras.ts'
import { Banner } from '../shell/frame/notices/Banner.tsx'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'

/** A preview of the banner as users will see it, updated while typing (behaviour B-254). */
export function BannerPreview({ values }: FormPartProps) {
  return (
    <Card aria-label="Preview">
      <CardHead>Preview</CardHead>
      <CardBody>
        <Banner title={String(values.title ?? '') || 'Title'} message={String(values.message ?? '')} type={Number(values.type ?? 1)} />
      </CardBody>
    </Card>
  )
}
