import { getErrorMessage } from '../../domain/words/errors.ts'
import { env } from '../core/settings.ts'
import { prepareDeployment } from '../launch/deployment.ts'

try {
  for (const line of await prepareDeployment(env)) console.log(line)
} catch (error) {
  console.error(getErrorMessage(error))
  process.exitCode = 1
}
