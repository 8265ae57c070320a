import { Tag } from '../resources/Tag.tsx'
import type { FormPart } from './extras.ts'

/** The tag as lists and forms will show it, while its words and colours are typed. */
export function TagPreview({ values }: FormPart) {
  return (
    <section className="card">
      <div className="card-head">How it looks</div>
      <div className="card-body">
        <Tag record={values} name={String(values.name ?? '') || 'Name'} />
      </div>
    </section>
  )
}
