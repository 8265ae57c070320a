import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { screens } from '../../client/screens.ts'
import { defaultTerms, termKeys, toMidSentence } from '../../domain/words/terms.ts'
import { readHelpPages } from '../../server/demo/help.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = readHelpPages()

/** All texts that a screen can show: those of the client and the domain, and the terms. */
function saidOnScreens(): Set<string> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'client', 'domain'], {
    cwd: root,
    encoding: 'utf8',
  })
  const said = new Set<string>()
  for (const file of files.split('\n').filter((name) => /\.tsx?$/.test(name))) {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX)
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) said.add(node.text.replace(/\s+/g, ' ').trim())
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  for (const key of termKeys) {
    const { singular, plural } = defaultTerms[key]
    for (const text of [singular, plural, `Add ${toMidSentence(singular)}`]) said.add(text)
  }
  return said
}

describe('the built-in help', () => {
  it('has a page for every screen', () => {
    const explained = new Set(pages.flatMap((page) => page.Screens.split(' ')))
    expect(screens.map(({ path }) => path).filter((path) => !explained.has(path))).toEqual([])
  })
  it('links only to screens and pages that exist', () => {
    const there = new Set([...screens.map(({ path }) => path), ...pages.map(({ Slug }) => `/assist/${Slug}`)])
    const named = pages.flatMap(({ Slug, Screens, Article }) =>
      [...Screens.split(' ').filter(Boolean), ...[...Article.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '')].map((path) => ({
        Slug,
        path,
      })),
    )
    expect(named.filter(({ path }) => !there.has(path))).toEqual([])
  })
  it('prints only texts of the screens in bold', () => {
    const said = saidOnScreens()
    const named = pages.flatMap(({ Slug, Article }) =>
      [...Article.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, label]) => ({ Slug, label: label ?? '' })),
    )
    expect(named.length).toBeGreaterThan(80)
    expect(named.filter(({ label }) => !said.has(label))).toEqual([])
  })
  it('has short pages, each with a unique title and a place in the order', () => {
    expect(pages.length).toBeGreaterThan(25)
    expect(pages.filter(({ Article, Slug }) => Slug !== 'glossary' && Article.replace(/<[^>]*>/g, ' ').split(/\s+/).length > 220)).toEqual(
      [],
    )
    expect(new Set(pages.map(({ Title }) => Title)).size).toBe(pages.length)
    expect(pages.filter(({ Title, Order }) => !Title || !(Number(Order) > 0))).toEqual([])
  })
})
