import { describe, expect, it } from 'vitest'
import { checks, problemsOf } from './checks.ts'
import { readPages, readProject } from './pages.ts'

const project = readProject()
const pages = readPages(project)

describe('the pages of the documentation', () => {
  it.each(Object.entries(checks))('%s', (_name, check) => expect(problemsOf(check, pages, project)).toEqual([]))
})
