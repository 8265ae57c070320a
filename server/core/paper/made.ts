import type { LocationId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import type { Holder } from '../calls/context.ts'
import type { FileReply } from '../calls/reply.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import type { Paper } from './document.ts'

/** Who a document is made for, with their rights as they are when it is made. */
export interface ReaderOfPaper {
  organisationId: OrganisationId
  userId: UserId
  name: string
  holder: Holder
}

/** What a document is read from. */
export interface PaperSource {
  tx: OrganisationTx
  store: Store
  now: Date
}

/** A document that was asked for, with what one must be allowed to see in order to fetch it. */
export interface AskedPaper {
  paper: Paper
  /** Without the ending. */
  fileName: string
  /** Every location whose figures are in it. */
  locationIds: LocationId[]
  /** Whether it says who somebody is. */
  namesStaff: boolean
  /** Keeps it elsewhere too, in the transaction in which it is made. */
  keep?: (tx: OrganisationTx, file: FileReply<Buffer>) => Promise<void>
}
