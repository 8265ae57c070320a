import { passwordCost } from '../../../server/auth/accounts.ts'
import { endAllWithFile } from './endings.ts'

// Tests need no expensive password hashes, so Argon2 gets its lowest cost.
Object.assign(passwordCost, { memoryCost: 8, timeCost: 1 })
endAllWithFile()
