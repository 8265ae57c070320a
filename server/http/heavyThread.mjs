// A thread begins without the loader of the process: it is set up here, then the thread proper begins.
import { register } from 'tsx/esm/api'

register()
const { default: answer } = await import('./heavyThread.ts')
export default answer
