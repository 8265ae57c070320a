import type { FormPartProps } from '../resources/entityExtras.ts'
import { RecordTag } from '../resources/Tag.tsx'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'

/** A preview of the tag as lists and forms show it, updated while typing. */
export function TagPreview({ values }: FormPartProps) {
  return (
    <Card>
      <CardHead>Preview</CardHead>
      <CardBody>
        <RecordTag record={values} name={String(values.name ?? '') || 'Name'} />
      </CardBody>
    </Card>
  )
}
