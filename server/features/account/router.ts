import { z } from 'zod'
import { passkeyCreation } from '../../auth/passkeys/verification.ts'
import { global, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { endedSignIns } from '../../shared/users/replies.ts'
import {
  addOwnPasskey,
  beginAppSetup,
  beginOwnPasskey,
  confirmAppSetup,
  endAllOwnSignIns,
  endOwnSignIn,
  removeOwnPasskey,
  removeOwnSecondStep,
  renameOwnPasskey,
  replaceOwnRecoveryCodes,
} from './commands.ts'
import { listSignInsOfCaller, readPasskeysOfCaller, readSecondStepOfCaller } from './queries.ts'
import * as replies from './replies.ts'

const code = z.string().trim().min(1, 'Enter the code.').max(40, 'The code is too long.')
/** The user's current password. It may be empty only if they have none in this installation. */
const password = z.string().max(200, 'The password can have at most 200 characters.')
/** Empty if no app is set up. */
const anyCode = z.string().trim().max(40, 'The code is too long.')
const passkeyName = z.string().trim().min(1, 'Enter a name.').max(60, 'The name can have at most 60 characters.')
const passkeyId = z.int().positive()

/** The caller's own sign-in. */
export const accountRouter = router({
  /** The state of the caller's second step; null if it is handled elsewhere. */
  secondStep: global('signedIn', 'short')
    .output(replies.secondStep)
    .query(({ ctx }) => readSecondStepOfCaller(ctx)),
  beginSecondStep: global('signedIn', 'code')
    .input(z.object({ password }))
    .output(replies.authenticatorSetup)
    .mutation(({ ctx, input }) => beginAppSetup(ctx, input.password)),
  confirmSecondStep: global('signedIn', 'code')
    .input(z.object({ code }))
    .output(replies.recoveryCodes)
    .mutation(({ ctx, input }) => confirmAppSetup(ctx, input.code)),
  renewRecoveryCodes: global('signedIn', 'code')
    .input(z.object({ code }))
    .output(replies.recoveryCodes)
    .mutation(({ ctx, input }) => replaceOwnRecoveryCodes(ctx, input.code)),
  removeSecondStep: global('signedIn', 'code')
    .input(z.object({ password, code }))
    .output(replies.secondStep)
    .mutation(({ ctx, input }) => removeOwnSecondStep(ctx, input)),
  /** The caller's passkeys; null if passkeys are not available. */
  passkeys: global('signedIn', 'short')
    .output(replies.passkeys)
    .query(({ ctx }) => readPasskeysOfCaller(ctx)),
  beginPasskey: global('signedIn', 'code')
    .input(z.object({ password, code: anyCode }))
    .output(replies.passkeyCreationOptions)
    .mutation(({ ctx, input }) => beginOwnPasskey(ctx, input)),
  addPasskey: global('signedIn', 'short')
    .input(z.object({ name: passkeyName, made: passkeyCreation }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => addOwnPasskey(ctx, input)),
  renamePasskey: global('signedIn', 'short')
    .input(z.object({ id: passkeyId, name: passkeyName }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => renameOwnPasskey(ctx, input)),
  removePasskey: global('signedIn', 'short')
    .input(z.object({ id: passkeyId }))
    .output(replies.acceptedPasskeys)
    .mutation(({ ctx, input }) => removeOwnPasskey(ctx, input.id)),
  /** The caller's current sign-ins; null for a client. */
  signIns: global('signedIn', 'short')
    .output(replies.signIns)
    .query(({ ctx }) => listSignInsOfCaller(ctx)),
  endSignIn: global('signedIn', 'rights')
    .input(z.object({ id: z.string().max(100) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => endOwnSignIn(ctx, input.id)),
  /** Signs the caller out everywhere, including here. */
  endSignIns: global('signedIn', 'rights')
    .output(endedSignIns)
    .mutation(({ ctx }) => endAllOwnSignIns(ctx)),
})
