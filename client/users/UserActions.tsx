import type { RecordPartProps } from '../resources/entityExtras.ts'
import { EndSignIns } from './EndSignIns.tsx'
import { EraseUser } from './EraseUser.tsx'
import { InvitePerson } from './InvitePerson.tsx'
import { RemovePasskeys } from './RemovePasskeys.tsx'
import { ResetSecondStep } from './ResetSecondStep.tsx'
import { UnlinkSignIn } from './UnlinkSignIn.tsx'

/** Actions on a user's sign-in and personal data. */
export function UserActions(part: RecordPartProps) {
  return (
    <>
      <EndSignIns {...part} />
      <ResetSecondStep {...part} />
      <UnlinkSignIn {...part} />
      <RemovePasskeys {...part} />
      <InvitePerson {...part} />
      <EraseUser {...part} />
    </>
  )
}
