import type { FormPart } from '../resources/extras.ts'
import { Tag } from '../resources/Tag.tsx'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'

/** The tag as lists and forms show it, updated while typing. */
export function TagPreview({ values }: FormPart) {
  return (
    <Card>
      <CardHead>How it looks</CardHead>
      <CardBody>
        <Tag record={values} name={String(values.name ?? '') || 'Name'} />
      </CardBody>
    </Card>
  )
}
