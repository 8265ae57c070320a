import { join } from 'node:path'
import { root } from '../core/root.ts'
import { launch } from '../launch/launcher.ts'
import { startProduct } from '../launch/startProduct.ts'

/** `npm start` of a release, in which the programs and the client are already built. */
await launch((launcher) => startProduct(launcher, { programs: Promise.resolve(join(root, 'run')), client: Promise.resolve() }))
