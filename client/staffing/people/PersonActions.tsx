import type { RecordPart } from '../../resources/extras.ts'
import { AccessPack } from './AccessPack.tsx'
import { AddContract } from './AddContract.tsx'
import { ErasePerson } from './ErasePerson.tsx'

/** What can be done with a person, beside saving. */
export function PersonActions(part: RecordPart) {
  if (part.record.erased) return null
  return (
    <>
      <AddContract {...part} />
      <AccessPack {...part} />
      <ErasePerson {...part} />
    </>
  )
}
