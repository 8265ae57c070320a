import { join } from 'node:path'
import { root } from '../core/root.ts'
import { env as environment } from '../core/settings.ts'
import { isClientBuilt } from './buildClient.ts'
import { bundlePrograms } from './bundle.ts'
import { launch } from './launcher.ts'
import { startProduct } from './startProduct.ts'

/** `npm start`: runs everything, installing and preparing what is missing. */
await launch(async (launcher) => {
  const { children, step } = launcher
  const programs = step('Programs', () => bundlePrograms(root))
  // Build the client in a separate process, so that a first start can load its data at the same time. Start it after bundling the programs,
  // because two bundlers at once take far longer.
  const client = programs.then(() =>
    step('Client', async () => {
      if (isClientBuilt(root)) return
      const script = join(root, 'server/launch/clientAlone.ts')
      await children.runToEnd('The pages could not be built; the reason is above.', {
        script,
        env: environment,
        nodeOptions: ['--import', 'tsx'],
      })
    }),
  )
  // The first failure is reported by the launcher; without this, a second one would be an unhandled rejection.
  for (const other of [client, programs]) other.catch(() => undefined)
  await startProduct(launcher, { programs, client })
})
