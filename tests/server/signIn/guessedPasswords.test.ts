import { describe, expect, it } from 'vitest'
import { isGuessable } from '../../../server/auth/passwords/guessablePasswords.ts'

/** What others may know about a user. */
const known = ['Bursar', 'Harbour-demo-26', 'ruth.mensah@harbour.example', 'Ruth', 'Mensah', 'Harbour Learning Trust']

describe('a password', () => {
  it('is refused if it is mostly the name of the user, the organisation or the product, or a common one with a few extra characters', async () => {
    for (const password of [
      'Harbour-demo-26abc',
      'xyzHarbour-demo-26',
      'HarbourLearningTrust!9',
      'Harbour.Trust.2026',
      'RuthMensah-1975x',
      'Bursar-Harbour-27',
      'Password123!xyz',
      'qwertyuiop-2026',
      'Liverpool1-xq7',
    ])
      expect([password, await isGuessable(password, known)]).toEqual([password, true])
  })
  it('is accepted if it has enough else besides such words', async () => {
    for (const password of ['correct horse battery', 'Harbour gulls eat seventeen chips', 'vK3-pq9z-Tw7m-x2', 'violin tractor lemon seven'])
      expect([password, await isGuessable(password, known)]).toEqual([password, false])
  })
})
