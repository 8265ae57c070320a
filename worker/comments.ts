import type { Config } from '../server/core/config.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import { mailComments } from '../server/features/versions/approval/telling/commands.ts'

/** Tells people by mail of comments that were for them while they were away. */
export function commentTeller({ store, config }: { store: Store; config: Config }) {
  let isTelling = false
  return {
    async sweep(): Promise<void> {
      if (isTelling) return
      isTelling = true
      await mailComments(store, config, new Date()).catch((error) => log.warn({ err: error }, 'mails about comments'))
      isTelling = false
    },
  }
}
