import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { screens } from '../../client/screens.ts'
import { createSubPageTitle } from '../../client/shell/screens/screen.ts'
import { defaultTerms, type TermKey } from '../../domain/words/terms.ts'

interface ChildRoute {
  path: string
  kind: string
  titleText: string
  entity: TermKey
}
const { routes } = JSON.parse(readFileSync(join(import.meta.dirname, 'tables/routes.json'), 'utf8')) as { routes: ChildRoute[] }
const verbs: Record<string, 'Add' | 'Edit' | 'Bulk Edit'> = { add: 'Add', edit: 'Edit', bulk: 'Bulk Edit' }

/** The pages below the lists of declared resources, each with its screen. */
const children = routes.flatMap((route) => {
  const screen = screens.find(({ path }) => path === route.path.replace(/\/(add|bulk|:id)$/, ''))
  return verbs[route.kind] && screen?.resource ? [{ ...route, verb: verbs[route.kind]!, screen }] : []
})

it('B-029 the page below a list is titled with the action, the term for its records and the area', () => {
  expect(children.length).toBeGreaterThan(80)
  for (const { path, titleText, entity, verb, screen } of children)
    expect([path, createSubPageTitle(verb, screen, defaultTerms[entity])]).toEqual([path, titleText])
})
it('B-029 the title uses the organisation’s own terms', () => {
  const { screen } = children.find(({ path }) => path === '/console/coding/cost-centres/add')!
  expect(createSubPageTitle('Bulk Edit', screen, { singular: 'Department', plural: 'Departments' })).toBe(
    'Bulk Edit - Department - Console',
  )
})
