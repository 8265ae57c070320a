import { messageOf } from '../../domain/words/errors.ts'
import { env } from '../core/settings.ts'
import { prepareDeployment } from '../launch/deployment.ts'

/** Prepares a deployment's database; runs before its servers and workers start. */
try {
  for (const line of await prepareDeployment(env)) console.log(line)
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
