import type { RequestHandler } from 'express'
import type { RateLimits } from '../core/calls/limits.ts'
import { renderPage } from './html.ts'
import { isGuessable } from './passwords/guessablePasswords.ts'
import { minPasswordLength } from './passwords/invitations.ts'

export const invalidLinkPage = renderPage(
  'Link',
  'This link is no longer valid. Links can be used once, and for a limited time. Ask for a new one.',
  '<p><a href="/">Go to the sign-in page</a></p>',
)

/** HTML attributes of inputs while a problem is shown above them. */
export function buildProblemAttributes(problem: string | null): string {
  return problem ? ' aria-describedby="problem" aria-invalid="true"' : ''
}

export function renderPasswordInputs(problem: string | null, isFirst: boolean): string {
  const described = buildProblemAttributes(problem)
  return `<label for="password">Password, at least ${minPasswordLength} characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${minPasswordLength}" maxlength="200"${isFirst ? ' autofocus' : ''}${described}>
<label for="again">Repeat the password</label>
<input id="again" name="again" type="password" autocomplete="new-password" required maxlength="200"${described}>`
}

/** The product's name and the published demo password are easy guesses. */
const productWords = ['Bursar', 'Harbour-demo-26']

/**
 * Checks a new password.
 * @param words what others know about the person: their name and workplace
 * @returns a sentence that says what is wrong, or null
 */
export async function findNewPasswordProblem(
  password: string,
  again: string,
  { email, words }: { email: string; words: readonly string[] },
): Promise<string | null> {
  if (password.length < minPasswordLength) return `The password must have at least ${minPasswordLength} characters.`
  if (password.length > 200) return 'The password can have at most 200 characters.'
  if (email && password.toLowerCase().includes(email.toLowerCase())) return 'The password must not contain your email address.'
  if (await isGuessable(password, [...productWords, email, ...words]))
    return 'This password is easy to guess. Choose another, such as four unrelated words.'
  return password === again ? null : 'The two passwords do not match. Enter both again.'
}

/** Keeps pages of one-time links out of caches and referrer headers, and rate-limits attempts to guess links. */
export function guardLinkPages(limits: RateLimits): RequestHandler {
  return async (req, res, next) => {
    res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer')
    const wait = await limits.count('links', String(req.ip))
    if (wait)
      return void res
        .status(429)
        .set('Retry-After', String(wait))
        .type('text/plain')
        .send(`Too many attempts. Try again in ${wait} seconds.`)
    next()
  }
}
