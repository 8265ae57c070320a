import { endAllWithFile } from './endings.ts'

endAllWithFile()
