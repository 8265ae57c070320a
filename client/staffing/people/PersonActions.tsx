import type { RecordPartProps } from '../../resources/entityExtras.ts'
import { AddContract } from './AddContract.tsx'
import { DownloadPersonalData } from './DownloadPersonalData.tsx'
import { ErasePerson } from './ErasePerson.tsx'

/** Actions on a person besides saving. */
export function PersonActions(part: RecordPartProps) {
  if (part.record.erased) return null
  return (
    <>
      <AddContract {...part} />
      <DownloadPersonalData {...part} />
      <ErasePerson {...part} />
    </>
  )
}
