import type { RequestHandler } from 'express'
import type { Limits } from '../core/calls/limits.ts'
import { isGuessable } from './guessable.ts'
import { shortestPassword } from './invitations.ts'
import { outsidePage } from './page.ts'

/** What stands where a link leads nowhere any more. */
export const linkGone = outsidePage(
  'Link',
  'This link is no longer valid. Links can be used once, and for a limited time. Ask for a new one.',
  '<p><a href="/">Go to the sign-in</a></p>',
)

/** What a form says of its inputs after a refusal. */
export function describedBy(problem: string | null): string {
  return problem ? ' aria-describedby="problem" aria-invalid="true"' : ''
}

/** The two inputs in which somebody chooses a password. */
export function passwordInputs(problem: string | null, isFirst: boolean): string {
  const described = describedBy(problem)
  return `<label for="password">Password, at least ${shortestPassword} characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${shortestPassword}" maxlength="200"${isFirst ? ' autofocus' : ''}${described}>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" required maxlength="200"${described}>`
}

/** The product's name, and the password of its demo, which everybody may read. */
const ofProduct = ['Bursar', 'Harbour-demo-26']

/**
 * What is wrong with a password somebody chose, in a sentence.
 * @param words what others know of the person: their name, and where they work
 */
export async function problemWith(
  password: string,
  again: string,
  { email, words }: { email: string; words: readonly string[] },
): Promise<string | null> {
  if (password.length < shortestPassword) return `The password must have at least ${shortestPassword} characters.`
  if (password.length > 200) return 'The password can have at most 200 characters.'
  if (email && password.toLowerCase().includes(email.toLowerCase())) return 'The password must not hold your email address.'
  if (await isGuessable(password, [...ofProduct, email, ...words]))
    return 'This password is among those that are guessed first. Choose another, like four words that have nothing to do with each other.'
  return password === again ? null : 'The two passwords are not the same. Type both again.'
}

/** Keeps the pages that one-time links lead to out of caches and other sites' logs, and who guesses links waiting. */
export function guardLinks(limits: Limits): RequestHandler {
  return async (req, res, next) => {
    res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer')
    const wait = await limits.count('links', String(req.ip))
    if (wait)
      return void res.status(429).set('Retry-After', String(wait)).type('text/plain').send(`Too many tries. Try again in ${wait} seconds.`)
    next()
  }
}
