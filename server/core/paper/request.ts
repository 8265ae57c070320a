import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import type { CallerRights } from '../calls/context.ts'
import type { FileReply } from '../calls/reply.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import type { PrintableDocument } from './document.ts'

/** The user for whom a document is made, with their permissions when it is made. */
export interface DocumentReader {
  organisationId: OrganisationId
  userId: UserId
  name: string
  holder: CallerRights
}

/** How the content of a document is read. */
export interface DocumentSource {
  tx: OrganisationTx
  store: Store
  now: Date
}

/** A requested document, and the permissions that a user needs to download it. */
export interface RequestedDocument {
  paper: PrintableDocument
  /** Without the extension. */
  fileName: string
  /** Every location whose figures it contains. */
  locationIds: LocationId[]
  /** Whether it identifies staff. */
  namesStaff: boolean
  /** Also stores the file elsewhere, in the transaction in which it is created. */
  keep?: (tx: OrganisationTx, file: FileReply<Buffer>) => Promise<void>
}
