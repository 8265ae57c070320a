import { join } from 'node:path'
import { root } from '../core/root.ts'
import { buildImage } from '../launch/image.ts'

/** What an image holds of ours, in `dist/`: the Dockerfile copies it. */
await buildImage(root, join(root, 'dist'))
