import express, { type Router, urlencoded } from 'express'
import { DomainError } from '../../domain/words/errors.ts'
import type { RateLimits } from '../core/calls/limits.ts'
import type { Store } from '../core/database/database.ts'
import { createFirstAdministrator, firstAdministratorPath, isFirstAdministratorLinkValid } from './firstAdministrator.ts'
import { parseFormField } from './formFields.ts'
import { escapeHtml, renderPage, renderProblem } from './html.ts'
import { buildProblemAttributes, findNewPasswordProblem, guardLinkPages, invalidLinkPage, renderPasswordInputs } from './oneTimePage.ts'

interface PersonFields {
  forename: string
  surname: string
  email: string
}

function renderForm(
  secret: string,
  { typed, withPassword, problem }: { typed: PersonFields; withPassword: boolean; problem: string | null },
): string {
  const described = buildProblemAttributes(problem)
  const field = (name: keyof PersonFields, label: string, more: string): string =>
    `<label for="${name}">${label}</label>\n<input id="${name}" name="${name}" required value="${escapeHtml(typed[name])}" ${more}${described}>`
  return renderPage(
    'First administrator',
    withPassword
      ? 'You will be the first administrator. Enter your name and email address, and choose a password.'
      : 'You will be the first administrator. Enter your name and the email address that you sign in with.',
    `<form method="post" action="${firstAdministratorPath}/${escapeHtml(secret)}">
${renderProblem(problem)}
${field('forename', 'Forename', 'autocomplete="given-name" maxlength="100" autofocus')}
${field('surname', 'Surname', 'autocomplete="family-name" maxlength="100"')}
${field('email', 'Email', 'type="email" autocomplete="username" maxlength="254"')}
${withPassword ? renderPasswordInputs(problem, false) : ''}
<button type="submit">Become the administrator</button>
</form>`,
  )
}

export function createFirstAdministratorRoutes(store: Store, withPassword: boolean, limits: RateLimits): Router {
  const routes = express.Router()
  routes.use(firstAdministratorPath, guardLinkPages(limits))
  routes.get(`${firstAdministratorPath}/:secret`, async (req, res) => {
    const { secret } = req.params
    const isGood = await isFirstAdministratorLinkValid(store, secret)
    res
      .status(isGood ? 200 : 410)
      .send(isGood ? renderForm(secret, { typed: { forename: '', surname: '', email: '' }, withPassword, problem: null }) : invalidLinkPage)
  })
  routes.post(`${firstAdministratorPath}/:secret`, urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { secret } = req.params
    if (!(await isFirstAdministratorLinkValid(store, secret))) return void res.status(410).send(invalidLinkPage)
    const text = (name: string): string => parseFormField(req.body, name)
    const typed = { forename: text('forename').trim(), surname: text('surname').trim(), email: text('email').trim() }
    const refuse = (problem: string): void => void res.status(400).send(renderForm(secret, { typed, withPassword, problem }))
    const known = { email: typed.email, words: [typed.forename, typed.surname] }
    const problem = withPassword ? await findNewPasswordProblem(text('password'), text('again'), known) : null
    if (problem) return refuse(problem)
    try {
      if (
        !(await createFirstAdministrator(store, {
          secret,
          person: typed,
          password: withPassword ? text('password') : null,
          now: new Date(),
        }))
      )
        return void res.status(410).send(invalidLinkPage)
      res.redirect(303, '/')
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      refuse(error.message)
    }
  })
  return routes
}
