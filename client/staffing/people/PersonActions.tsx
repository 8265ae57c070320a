import type { RecordPart } from '../../resources/extras.ts'
import { AccessPack } from './AccessPack.tsx'
import { AddContract } from './AddContract.tsx'
import { ErasePerson } from './ErasePerson.tsx'

/** Actions on a person besides saving. */
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
