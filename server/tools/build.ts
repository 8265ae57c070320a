import { join } from 'node:path'
import { root } from '../core/root.ts'
import { buildImage } from '../release/image.ts'

/** Assembles the image's files in `dist/`, which the Dockerfile copies. */
await buildImage(root, join(root, 'dist'))
