import { passwordCost } from '../../../server/auth/accounts.ts'
import { endAllWithFile } from './endings.ts'

// What a password costs is not what is tested: the least that Argon2 takes.
Object.assign(passwordCost, { memoryCost: 8, timeCost: 1 })
endAllWithFile()
