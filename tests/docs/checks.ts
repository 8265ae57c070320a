import { posix } from 'node:path'
import { languages } from './blocks.ts'
import { type Page, type ReadPage, readPage } from './markdown.ts'

/** What the pages may refer to. */
export interface Project {
  /** The paths of all files, from the root folder. */
  files: readonly string[]
  /** Files and folders made by a build or at run time, as in .gitignore: `dist/`. */
  ignored: readonly string[]
  /** The names of the scripts in package.json. */
  scripts: readonly string[]
}

/** The page that lists every setting. */
const settingsPage = 'docs/operators/configuration.md'
/** The page that links to every other. */
const indexPage = 'docs/README.md'

/** A page must have fewer lines than this. The changelog grows with every version. */
const mostLines = ({ path }: Page): number => (path === 'README.md' ? 200 : path === 'CHANGELOG.md' ? Infinity : 150)
const longestCell = 100

const at = ({ path }: Page, line: number, problem: string): string => `${path}:${line}: ${problem}`

/** The regular expression for a wildcard or placeholder of a path; other text matches literally. */
function meaningOf(part: string): string {
  if (part === '*') return '[^/]*'
  if (part === '?') return '[^/]'
  if (part === '…' || part.startsWith('**')) return '.*'
  if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(plainText).join('|')})`
  return /^<|^[A-Z]{3}/.test(part) ? '[^/]+' : plainText(part)
}

const plainText = (text: string): string => text.replace(/[.+^$()|[\]{}\\*?]/g, '\\$&')

/** The regular expression for a path with wildcards and placeholders. */
function patternOf(glob: string): RegExp {
  const parts = glob.split(/(<[^>]*>|\b[A-Z]{3,}\b(?!\.md)|\{[^{}]*\}|…|\*\*\/?|\*|\?)/)
  return new RegExp(`^${parts.map(meaningOf).join('')}$`)
}

/** The files and folders of a project. */
class Tree {
  readonly #files: ReadonlySet<string>
  readonly #folders: ReadonlySet<string>
  readonly #names: ReadonlySet<string>
  readonly #project: Project

  constructor(project: Project) {
    this.#project = project
    this.#files = new Set(project.files)
    const folders = new Set<string>()
    for (const file of project.files)
      for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder)
    this.#folders = folders
    this.#names = new Set(project.files.map((file) => posix.basename(file)))
  }

  has(path: string): boolean {
    const plain = path.replace(/\/$/, '')
    return plain === '.' || this.#folders.has(plain) || (this.#files.has(plain) && !path.endsWith('/'))
  }

  /** Whether a path exists, is made by a build, or matches something that exists if it has wildcards or placeholders. */
  meets(path: string): boolean {
    if (this.has(path)) return true
    if (this.#project.ignored.some((one) => `${path}/`.startsWith(`${one.replace(/^\/|\/$/g, '')}/`))) return true
    if (!/[*?{<…]|\b[A-Z]{3,}\b/.test(path)) return false
    const pattern = patternOf(path.replace(/\/$/, ''))
    return [...this.#files, ...this.#folders].some((one) => pattern.test(one))
  }

  hasName(name: string): boolean {
    return this.#names.has(name)
  }

  /** Whether the first part of a path is a folder of the project. */
  beginsHere(path: string): boolean {
    const [first = '', ...rest] = path.split('/')
    return rest.length > 0 && this.#folders.has(first)
  }
}

/** A check of all pages. @returns the problems, each as `file:line: what is wrong, and what to do` */
export type Check = (pages: readonly ReadPage[], project: Project) => string[]

function linkProblem(page: ReadPage, target: string, { tree, anchors }: { tree: Tree; anchors: ReadonlyMap<string, ReadonlySet<string>> }) {
  if (/^mailto:/.test(target)) return null
  if (/^[a-z][\w+.-]*:|^\/\//i.test(target)) {
    if (/^https:\/\/./.test(target) || /^http:\/\/localhost\b/.test(target)) return null
    return `the link to ${target} is not https. Give the https address, or a path from this page.`
  }
  if (target.startsWith('/')) return `the link to ${target} begins at the root. Write it from this page: ../path.`
  const [path = '', anchor] = target.split('#')
  const to = path ? posix.normalize(posix.join(posix.dirname(page.path), decodeURI(path))) : page.path
  if (to.startsWith('..')) return `the link to ${target} leads out of the project. Give its https address.`
  if (!tree.has(to)) return `the link to ${target} leads nowhere: there is no ${to}. Correct the path, or write the page.`
  if (anchor === undefined) return null
  const known = anchors.get(to)
  if (!known) return `the link to ${target} names a place in a file that is no page. Leave out #${anchor}.`
  if (known.has(anchor)) return null
  return `the link to ${target} leads to no heading of ${to}. Its headings: ${[...known].map((one) => `#${one}`).join(', ')}.`
}

const links: Check = (pages, project) => {
  const tree = new Tree(project)
  const anchors = new Map(
    pages.map((page) => {
      const named = [...page.text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, name = '']) => name)
      return [page.path, new Set([...page.headings.map(({ anchor }) => anchor), ...named])]
    }),
  )
  return pages.flatMap((page) => {
    const linked = page.links.flatMap(({ line, target }) => {
      const problem = linkProblem(page, target, { tree, anchors })
      return problem ? [at(page, line, problem)] : []
    })
    const bare = page.addresses
      .filter(({ target }) => !/^https:|^http:\/\/(localhost|127\.0\.0\.1)\b/.test(target))
      .map(({ line, target }) => at(page, line, `${target} is not https. Give the https address, or put it into backticks.`))
    return [...linked, ...bare]
  })
}

/** Files of the project that pages may name without a folder. JSON and CSV are left out: the product writes those at run time. */
const fileName = /^[\w.-]+\.(ts|tsx|mjs|md|yml)$/

const paths: Check = (pages, project) => {
  const tree = new Tree(project)
  return pages.flatMap((page) => {
    const code = page.blocks.map((block) => block.code).join('\n')
    return page.spans.flatMap(({ line, text }) => {
      const path = text.replace(/:\d+(-\d+)?$/, '')
      if (/\s/.test(path)) return []
      if (tree.beginsHere(path))
        return tree.meets(path) ? [] : [at(page, line, `\`${text}\` is not in the project. Correct the path, or say it without backticks.`)]
      // A file that the reader creates is named in a block of the same page.
      if (!fileName.test(path) || tree.hasName(path) || code.includes(path)) return []
      return [at(page, line, `no file of the project is called \`${text}\`. Correct it; a file of the reader's own is written FILE.`)]
    })
  })
}

/** Everything that a page shows as code: code spans and the lines of blocks. */
function codeLines(page: ReadPage): { line: number; text: string }[] {
  const inBlocks = page.blocks.flatMap(({ codeLine, code }) => code.split('\n').map((text, place) => ({ line: codeLine + place, text })))
  return [...page.spans, ...inBlocks]
}

const scripts: Check = (pages, project) =>
  pages.flatMap((page) =>
    codeLines(page).flatMap(({ line, text }) => {
      const run = [...text.matchAll(/\bnpm run(?: -s| --silent)* (\w[\w:.-]*)/g)].map(([, name = '']) => name)
      const short = [...text.matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name)
      return [...run, ...short]
        .filter((name) => !project.scripts.includes(name))
        .map((name) => at(page, line, `package.json has no script ${name}. Its scripts: ${project.scripts.join(', ')}.`))
    }),
  )

/** Names in capitals that contain an underscore or are followed by `=`. */
const namedSettings = (text: string): string[] =>
  [...text.matchAll(/(?<![\w$.<-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b|(?<![\w$.<-])([A-Z][A-Z0-9]{2,})(?==)/g)].map(
    ([, long, short]) => long ?? short ?? '',
  )

/** Whether a name is a variable of the reader’s shell: one block both sets and reads it. */
function isVariable(page: ReadPage, name: string): boolean {
  return page.blocks.some(({ code }) => new RegExp(`^ *${name}=`, 'm').test(code) && new RegExp(`\\$\\{?${name}\\b`).test(code))
}

const settings: Check = (pages) => {
  const readers = pages.filter(({ path }) => path === 'README.md' || /^docs\/(operators|auditors)\//.test(path))
  const page = pages.find(({ path }) => path === settingsPage)
  if (!page) return [`${settingsPage}:1: there is no such page. It names every setting: write it.`]
  const known = new Set(page.spans.flatMap(({ text }) => text.match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []))
  return readers
    .filter((one) => one !== page)
    .flatMap((one) =>
      codeLines(one).flatMap(({ line, text }) =>
        [...new Set(namedSettings(text))]
          .filter((name) => !known.has(name) && !isVariable(one, name))
          .map((name) => at(one, line, `${settingsPage} does not name ${name}. Correct it here, or describe it there.`)),
      ),
    )
}

const lengths: Check = (pages) =>
  pages
    .filter((page) => page.lines.length >= mostLines(page))
    .map((page) =>
      at(page, page.lines.length, `the page has ${page.lines.length} lines, ${mostLines(page) - 1} at most. Make two pages of it.`),
    )

/** The text of a cell as a reader sees it: links by their text. */
const readCell = (cell: string): string => cell.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')

const cells: Check = (pages) =>
  pages.flatMap((page) =>
    page.cells
      .filter(({ text }) => readCell(text).length > longestCell)
      .map(({ line, text }) =>
        at(page, line, `a cell has ${readCell(text).length} characters, ${longestCell} at most. Say it below the table, or make a list.`),
      ),
  )

const index: Check = (pages) => {
  if (!pages.some(({ path }) => path === indexPage))
    return [`${indexPage}:1: there is no such page. It links to every page of docs/: write it.`]
  const indexes = new Map(
    pages
      .filter(({ path }) => /^docs\/(.+\/)?README\.md$/.test(path))
      .map(({ path, links }) => {
        const folder = posix.dirname(path)
        return [folder, { path, linked: links.map(({ line, target }) => ({ line, to: posix.join(folder, target.split('#')[0] ?? '') })) }]
      }),
  )
  return pages
    .filter(({ path }) => path.startsWith('docs/') && path !== indexPage)
    .flatMap(({ path }) => {
      // A folder with its own index page lists its pages there.
      const own = indexes.get(posix.dirname(path))
      const index = own && own.path !== path ? own : indexes.get('docs')
      const [first, again] = index?.linked.filter(({ to }) => to === path) ?? []
      if (!first) return [`${index?.path}:1: no link leads to ${path}. Add one.`]
      return again ? [`${index?.path}:${again.line}: ${path} is linked on line ${first.line} already. Remove one of the links.`] : []
    })
}

const titles: Check = (pages) => {
  const known = new Map<string, string>()
  return pages.flatMap((page) => {
    const [title, again] = page.headings.filter(({ level }) => level === 1)
    if (!title) return [at(page, 1, 'the page has no title. Begin it with # and its title.')]
    if (again) return [at(page, again.line, 'the page has a second title. Write ## for a section.')]
    const before = known.get(title.text.toLowerCase())
    known.set(title.text.toLowerCase(), page.path)
    return before ? [at(page, title.line, `${before} has the same title. Say in it what this page alone is about.`)] : []
  })
}

const examples: Check = (pages) =>
  pages.flatMap((page) =>
    page.blocks.flatMap(({ line, language, words, code }) => {
      const [word, ...more] = words
      if (word === undefined) return []
      const allowed = languages[language]?.words ?? []
      if (!allowed.includes(word) || more.length)
        return [
          at(page, line, `\`${language} ${words.join(' ')}\` is not known. Write sh, python or ts and run, or leave out what follows.`),
        ]
      return word === 'file' && !/^(#|\/\/) [\w-]+\.(py|ts)\n/.test(code)
        ? [at(page, line, 'a block of a file begins with a comment that names it: # receiver.py')]
        : []
    }),
  )

/** All checks, by what they require. */
export const checks: Record<string, Check> = {
  'link to what is there, and outside by https': links,
  'name files and folders that are there': paths,
  'name scripts of package.json': scripts,
  'name settings that the page of the configuration describes': settings,
  'are short': lengths,
  'have tables that can be read': cells,
  'are each linked once from the page of the documentation': index,
  'have a title each, and each its own': titles,
  'mark only blocks that can be run': examples,
}

/** Runs one check on the pages. @returns the problems */
export function problemsOf(check: Check, pages: readonly Page[], project: Project): string[] {
  return check(pages.map(readPage), project)
}
