import { register } from 'node:module'

/**
 * openapi-typescript writes with the JavaScript API of TypeScript, which version 7 does not have: in its process `typescript` is version 5,
 * which stands beside the other under a name of its own.
 */
const hooks = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url)
