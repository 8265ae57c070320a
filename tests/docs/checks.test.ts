import { describe, expect, it } from 'vitest'
import { checks, type Project, problemsOf } from './checks.ts'
import { slugOf } from './markdown.ts'

const project: Project = {
  files: ['README.md', 'package.json', 'docs/README.md', 'docs/users/a.md', 'server/rest/routes.ts', 'server/features/budgets/router.ts'],
  ignored: ['dist/', 'client/dist/'],
  scripts: ['start', 'test', 'audit'],
}
const check = (name: keyof typeof checks, ...pages: [path: string, text: string][]): string[] =>
  problemsOf(
    checks[name]!,
    pages.map(([path, text]) => ({ path, text })),
    project,
  )

const links = (text: string): string[] =>
  check('link to what is there, and outside by https', ['docs/users/a.md', text], ['docs/README.md', '# All\n## Two words\n## Two words\n'])
const names = (text: string): string[] => check('name files and folders that are there', ['docs/users/a.md', text])

describe('anchors', () => {
  it.each([
    ['Sign in', 'sign-in'],
    ['What `DATA_KEY` is', 'what-data_key-is'],
    ['_Console → Budgets_', 'console--budgets'],
    ['In and out: a [link](x.md)!', 'in-and-out-a-link'],
    ['A **bold** word', 'a-bold-word'],
  ])('%s', (heading, slug) => expect(slugOf(heading)).toBe(slug))
})

describe('the check of links', () => {
  it('accepts pages, folders, images, headings and https', () => {
    const text =
      '[a](../README.md) [b](../../server/rest/) ![c](a.md) [d](../README.md#two-words-1) [e](#here)\n## Here\n[f](https://a.example)\n'
    expect(links(text)).toEqual([])
  })
  it('finds a link to a missing file, with its line and what to do', () => {
    expect(links('# A\n\nSee [this](gone.md).')).toEqual([
      'docs/users/a.md:3: the link to gone.md leads nowhere: there is no docs/users/gone.md. Correct the path, or write the page.',
    ])
  })
  it.each([
    ['another letter case', '[a](../readme.md)'],
    ['a heading that is not there', '[a](../README.md#three)'],
    ['a heading of its own that is not there', '[a](#there)'],
    ['a place in a file of code', '[a](../../server/rest/routes.ts#L3)'],
    ['a path out of the project', '[a](../../../x.md)'],
    ['a path from the root', '[a](/docs/README.md)'],
    ['http', '[a](http://a.example)'],
    ['a bare address with http', 'See http://a.example for more.'],
    ['a link that is defined below', '[a][b]\n\n[b]: gone.md'],
    ['an image in HTML', '<img src="gone.png">'],
    ['a link whose text is code', '[`gone.ts`](gone.ts)'],
  ])('finds %s', (_name, text) => expect(links(text)).toHaveLength(1))
  it('ignores links in code', () => expect(links('`[a](gone.md)`\n\n```md\n[a](gone.md)\nhttp://a.example\n```\n')).toEqual([]))
})

describe('the check of paths', () => {
  it.each([
    'server/rest/routes.ts',
    'server/rest/',
    'server/rest/routes.ts:12',
    'server/*/*.ts',
    'server/features/<area>/router.ts',
    'server/features/AREA/router.ts',
    'server/**/{router,gone}.ts',
    'server/…/routes.ts',
    'server/rest/route?.ts',
    'package.json',
    'router.ts',
    'client/dist/index.html',
    '/api/events',
    'GET /api/events',
    'read/write',
  ])('accepts %s', (path) => expect(names(`# A\n\`${path}\``)).toEqual([]))
  it.each([
    'server/rest/gone.ts',
    'server/gone/',
    'server/rest/*.tsx',
    'server/rest/{gone,router}.ts',
    'server/rest/route.ts',
    'docs/READ.md',
    'server/gone/<area>/router.ts',
    'docs/users/b.md',
    'vite.config.ts',
  ])('reports that %s does not exist', (path) =>
    expect(names(`# A\n\`${path}\``)).toEqual([expect.stringMatching(/^docs\/users\/a\.md:2: /)]),
  )
  it('accepts a file that the reader makes in a block of the page', () =>
    expect(names('# A\n`mine.ts`\n\n```sh\nnode mine.ts\n```\n')).toEqual([]))
})

describe('the check of scripts', () => {
  const scripts = (text: string): string[] => check('name scripts of package.json', ['docs/users/a.md', text])
  it('accepts existing scripts, however they are called', () =>
    expect(scripts('`npm start`, `npm run -s audit -- verify`, `npm run -s`\n\n```sh\nnpm test\nnpm run audit\nnpm ci\n```\n')).toEqual([]))
  it('finds a missing one, in a span and in a block', () => {
    const found = scripts('# A\n`npm run -s gone -- x`\n\n```sh\nnpm ci\nnpm run nowhere\n```\n')
    expect(found.map((one) => one.slice(0, 19))).toEqual(['docs/users/a.md:2: ', 'docs/users/a.md:6: '])
  })
})

describe('the check of settings', () => {
  const configuration: [string, string] = ['docs/operators/configuration.md', '# Configuration\n`DATA_KEY` `PORT`\n']
  const settings = (...pages: [string, string][]): string[] => check('name settings that the page of the configuration describes', ...pages)
  it('accepts described settings, and names without an underscore that get no value', () =>
    expect(settings(configuration, ['docs/auditors/a.md', '`DATA_KEY`, `FILE`\n\n```sh\nPORT=1 npm start\n```\n'])).toEqual([]))
  it('finds undescribed ones, in a span and in a block', () =>
    expect(settings(configuration, ['README.md', '# A\n`DATA_KEYS`\n\n```sh\nPOR=1 npm start\n```\n'])).toEqual([
      expect.stringMatching(/^README\.md:2: .*DATA_KEYS/),
      expect.stringMatching(/^README\.md:5: .*POR\b/),
    ]))
  it('accepts a variable of the reader’s shell', () =>
    expect(settings(configuration, ['docs/auditors/a.md', '# A\n\n```sh\nBUDGET=$(list)\necho "$BUDGET"\n```\n'])).toEqual([]))
  it('reports that the page is missing', () => expect(settings(['README.md', '# A'])).toHaveLength(1))
})

describe('the checks of form', () => {
  it('find a page that is too long', () => {
    expect(check('are short', ['docs/users/a.md', 'line\n'.repeat(149)], ['README.md', 'line\n'.repeat(199)])).toEqual([])
    expect(check('are short', ['docs/users/a.md', 'line\n'.repeat(150)], ['README.md', 'line\n'.repeat(200)])).toHaveLength(2)
  })
  it('find a cell that is too long, and read a link by its text', () => {
    const table = (cell: string): string => `| a | b |\n| --- | --- |\n| ${cell} | x |\n`
    const found = (cell: string): string[] => check('have tables that can be read', ['docs/users/a.md', table(cell)])
    expect(found(`[${'a'.repeat(100)}](https://a.example/${'b'.repeat(50)})`)).toEqual([])
    expect(found('a'.repeat(101))).toEqual([expect.stringMatching(/^docs\/users\/a\.md:3: /)])
  })
  it('find a page that is not linked, and one that is linked twice', () => {
    const index = (text: string): string[] =>
      check('are each linked once from the page of the documentation', ['docs/README.md', text], ['docs/users/a.md', '# A'])
    expect(index('[a](users/a.md)')).toEqual([])
    expect(index('# All')).toEqual([expect.stringContaining('no link leads to docs/users/a.md')])
    expect(index('[a](users/a.md)\n[a](users/a.md#x)')).toEqual([expect.stringMatching(/^docs\/README\.md:2: /)])
    expect(check('are each linked once from the page of the documentation', ['docs/users/a.md', '# A'])).toHaveLength(1)
  })
  it('find two pages with one title, a page without a title and one with two', () => {
    const titles = (...pages: [string, string][]): string[] => check('have a title each, and each its own', ...pages)
    expect(titles(['a.md', '# One'], ['b.md', '# Two\n## One'])).toEqual([])
    expect(titles(['a.md', '# One'], ['b.md', '# one'])).toEqual([expect.stringContaining('b.md:1: a.md has the same title')])
    expect(titles(['a.md', 'Text']).concat(titles(['a.md', '# One\n\n# Two']))).toHaveLength(2)
  })
  it('find a block that cannot be run', () => {
    const marked = (info: string): string[] => check('mark only blocks that can be run', ['a.md', `\`\`\`${info}\n# x.py\n\`\`\`\n`])
    expect([marked('sh'), marked('sh run'), marked('python file'), marked('ts run'), marked('')].flat()).toEqual([])
    expect(['json run', 'sh file', 'sh runs', 'python run now'].map((info) => marked(info).length)).toEqual([1, 1, 1, 1])
    expect(check('mark only blocks that can be run', ['a.md', '```ts file\nconst x = 1\n```\n'])).toHaveLength(1)
  })
})
