import type { FormPartProps } from '../resources/entityExtras.ts'
import { Tag } from '../resources/Tag.tsx'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'

/** The tag as lists and forms show it, updated while typing. */
export function TagPreview({ values }: FormPartProps) {
  return (
    <Card>
      <CardHead>Preview</CardHead>
      <CardBody>
        <Tag record={values} name={String(values.name ?? '') || 'Name'} />
      </CardBody>
    </Card>
  )
}
