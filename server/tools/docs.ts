import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../core/root.ts'
import { renderConfigurationPage } from './configurationPage.ts'

/** `npm run docs`: writes the documentation pages that are generated from declarations. */
writeFileSync(join(root, 'docs/operators/configuration.md'), renderConfigurationPage())
