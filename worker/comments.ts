import type { Config } from '../server/core/config.ts'
import type { Store } from '../server/core/database/database.ts'
import { log } from '../server/core/log.ts'
import { mailCommentNotices } from '../server/features/versions/approval/notices/commands.ts'

/** Emails users about comments that are addressed to them and that they have not seen in the product. */
export function createCommentMailer({ store, config }: { store: Store; config: Config }) {
  let isMailing = false
  return {
    async sweep(): Promise<void> {
      if (isMailing) return
      isMailing = true
      await mailCommentNotices(store, config, new Date()).catch((error) => log.warn({ err: error }, 'mailing about comments failed'))
      isMailing = false
    },
  }
}
