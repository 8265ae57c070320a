// A thread does not inherit the TypeScript loader of its process, so this file registers it first.
import { register } from 'tsx/esm/api'

register()
const { default: answer } = await import('./longCallThread.ts')
export default answer
