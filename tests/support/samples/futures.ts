import type { DrawPlan } from '../../../domain/uncertainty/draws.ts'

/** A plan with every kind of driver and pair. Server and browser draw the bytes of `futuresHash` from it. */
export const futuresPlan: DrawPlan = {
  count: 2000,
  seed: 20260901,
  drivers: [
    { id: 'supply', name: 'Supply', low: 90, likely: 100, high: 125 },
    { id: 'award', name: 'Teachers’ award', low: 2.2, likely: 3, high: 4 },
    { id: 'intake', name: 'Reception', low: 48, likely: 57, high: 60, isCount: true },
    { id: 'funding', name: 'Funding rate', low: 1, likely: 2, high: 2.5 },
    { id: 'support', name: 'Support award', low: 2, likely: 3.2, high: 4 },
    { id: 'published', name: 'Published award', low: 4, likely: 4, high: 4 },
  ],
  pairs: [
    { first: 'award', second: 'funding', word: 'movesWith' },
    { first: 'award', second: 'support', word: 'movesWith' },
    { first: 'support', second: 'funding', word: 'movesAgainst' },
    { first: 'supply', second: 'support', word: 'movesALittleWith' },
  ],
}

/** SHA-256 of the drawn `z` and then the values, driver by driver, as little-endian doubles. */
export const futuresHash = '4724125f30355cf02e8c6e4acf84995bae96c3dd1e406de016f2404d2a469876'
