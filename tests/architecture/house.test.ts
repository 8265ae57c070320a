import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { resources, separatelyStoredResources } from '../../domain/resources/all.ts'

const root = resolve(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
// Released engines are frozen, so the house rules do not apply to them.
const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/^domain\/calculation\/engines\/\d/.test(file))
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

const area = (file: string): string => file.split('/')[0]!

/** The files and folders allowed in the root folder besides the source folders: what people read and start, and what tools expect there. */
const atTop = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'biome.json',
  'docker-compose.yml',
  'drizzle.config.ts',
  'knip.json',
  'package-lock.json',
  'package.json',
  'playwright.config.ts',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
]
const folders = ['client', 'docs', 'domain', 'drizzle', 'patches', 'server', 'tests', 'worker']

describe('the house rules', () => {
  it('the root folder holds nothing else but files that tools expect there, with a name that starts with a dot', () => {
    const known = new Set([...atTop, ...folders])
    expect([...new Set(files.map(area))].filter((name) => !name.startsWith('.') && !known.has(name))).toEqual([])
  })
  it('screens make changes through the typed hooks, and one module decides what is reloaded afterwards', () => {
    const screens = code.filter((file) => file.startsWith('client/') && file !== 'client/shell/live/invalidateAnswers.ts')
    const wrong = screens.filter((file) => /\b(api|calls|client)\b[^\n;(]*\.mutate\(|\binvalidate(Queries)?\(/.test(text(file)))
    expect(wrong.map((file) => `${file}: call it by trpc.….useMutation(); domain/changes/live.ts says what it makes stale`)).toEqual([])
  })
  it('numbers and dates are typed into one kind of field each, which reads them as people in Britain write them', () => {
    const own: Record<string, string> = { NumberInput: 'client/ui/fields/NumberField.tsx', DateInput: 'client/ui/fields/DateField.tsx' }
    for (const [name, place] of Object.entries(own))
      expect(code.filter((file) => file.startsWith('client/') && new RegExp(`<${name}\\b`).test(text(file)))).toEqual([place])
  })
  it('the help on keys names every key that has a name or is shown beside an action', () => {
    const help = 'client/shell/frame/KeyboardShortcuts.tsx'
    const named = new Set([...text(help).matchAll(/^ +\['([^']+)', /gm)].flatMap(([, keys = '']) => keys.split(', ')))
    const called = (bound: string): string =>
      bound.replace('mod+', 'Ctrl ').replace('shift+', '').replace('Escape', 'Esc').replace('Insert', 'Ins')
    const unnamed = code.flatMap((file) => {
      if (!file.startsWith('client/') || file === help) return []
      const shown = [...text(file).matchAll(/<(?:kbd|ShortcutHint)>([^<{]+)</g)].map(([, key = '']) => key.trim())
      const hotkeys = text(file).includes('useHotkeys(') ? text(file).matchAll(/\['([\w/+?]+)', (?:\(|\w+[\],])/g) : []
      const bound = [...hotkeys].map(([, key = '']) => called(key))
      return [...shown, ...bound].filter((key) => !named.has(key)).map((key) => `${file}: ${key}`)
    })
    expect(named.size).toBeGreaterThan(20)
    expect(unnamed).toEqual([])
  })
  it('the domain is pure: it uses no clock and no random numbers', () => {
    const wrong = code
      .filter((file) => area(file) === 'domain')
      .flatMap((file) => {
        const impure = /Date\.now\(|new Date\(\)|Math\.random\(|process\.|fetch\(/.exec(text(file))
        return impure ? [`${file} uses ${impure[0]}: take it as an argument`] : []
      })
    expect(wrong).toEqual([])
  })
  it('a day is the day in London, whatever the clock of a server, a database or a browser is set to', () => {
    const otherDays: [RegExp, string][] = [
      [
        /\.toISOString\(\)\s*\.?(slice|substring|substr|split)\(|\.toJSON\(\)\s*\.(slice|split)/,
        'use dayInLondon or clockInLondon (domain/values/format.ts)',
      ],
      [
        /\.get(UTC)?(FullYear|Month|Date|Day)\(\)|\.toLocale(Date|Time)String\(/,
        'use dayInLondon (domain/values/format.ts), of a day isoOf (domain/values/calendar.ts)',
      ],
      [/\b(created|savedAt|occurredAt|resolvedAt|lastUsed|lastSignIn|now)\??\.slice\(0, 10\)/, 'use dayInLondon (domain/values/format.ts)'],
      [/\bdayjs\((?!text\.trim\(\), \[)/, 'use momentInLondon and clockInLondon (domain/values/format.ts)'],
      [
        /\bcurrent_date\b|\b(now\(\)|current_timestamp|\w+_at|created)::date\b|date_trunc\('(day|month|year)'/i,
        "use (… at time zone 'Europe/London')::date",
      ],
      [/at time zone 'UTC'(?!,? 'YYYY-MM-DD"T")[^`]{0,4}'YYYY-MM-DD'/i, "use at time zone 'Europe/London'"],
    ]
    const known: Record<string, string> = {
      'domain/values/calendar.ts': 'days without a zone',
      'domain/values/format.ts': 'where London is known',
      'server/audit/compare/compareDays.ts': 'the database counts changes by days of UTC',
      'client/resources/sheets/readSheets.ts': 'cells of a workbook, whose days have no zone',
    }
    const wrong = code
      .filter((file) => /^(domain|drizzle|server|worker|client)\//.test(file) && !known[file])
      .flatMap((file) => {
        const source = text(file)
        return otherDays.flatMap(([what, instead]) => {
          const found = what.exec(source)
          return found ? [`${file}:${source.slice(0, found.index).split('\n').length}: ${found[0]}: ${instead}`] : []
        })
      })
    expect(wrong).toEqual([])
  })
  it('features contain SQL only in queries and commands, and resources never in routers and rows', () => {
    const statement = /\btx\s*\.(select|insert|update|delete|execute|\$count)\w*[(<]/
    const elsewhere = /^server\/(?:features|shared)\/(?!.*\/(queries|commands)\.ts$)|^server\/resources\/(.+\/)?(router|rows)\.ts$/
    const wrong = code.filter((file) => elsewhere.test(file) && statement.test(text(file)))
    expect(wrong.map((file) => `${file} reads or changes rows: move that into queries.ts or commands.ts`)).toEqual([])
  })
  it('only commands change what is stored', () => {
    const changing = /\b(tx|db)\s*\.(insert|update|delete)\(/
    const wrong = code.filter(
      (file) => /^server\/(features|shared)\//.test(file) && !file.endsWith('/commands.ts') && changing.test(text(file)),
    )
    expect(wrong.map((file) => `${file} changes rows: move that into commands.ts`)).toEqual([])
  })
  it('the code contains no any, no disabled test and no note to do something later', () => {
    const words = [
      /\bas any\b/,
      /: any\b(?!.*biome-ignore)/,
      /\b(it|describe|test)\.(only|skip|todo)\(/,
      /\bTODO\b|\bFIXME\b|coming soon/i,
      /@ts-ignore/,
    ]
    const wrong = code
      .filter((file) => file !== 'tests/architecture/house.test.ts')
      .flatMap((file) => words.filter((word) => word.test(text(file))).map((word) => `${file}: ${word}`))
    expect(wrong.filter((line) => !line.startsWith('tests/support/product/http.ts'))).toEqual([])
  })
  it('a cast is rare and has a comment with its reason', () => {
    const most = 84
    // Parsing every file would take ten times as long. A line of a comment or import contains no cast.
    const mayCast = /^(?!\s*(\*|\/\/|\/\*|import\b)).*(\sas (?!const\b)|[\w)\]]!(?![=\w]))/m
    const casts = code
      .filter((file) => /^(domain|drizzle|server|worker|client)\/.*\.tsx?$/.test(file) && mayCast.test(text(file)))
      .flatMap((file) => {
        const source = ts.createSourceFile(
          file,
          text(file),
          ts.ScriptTarget.Latest,
          true,
          file.endsWith('x') ? ts.ScriptKind.TSX : undefined,
        )
        const lines = source.text.split('\n')
        const found: { at: string; isSaid: boolean }[] = []
        const visit = (node: ts.Node): void => {
          if (ts.isNonNullExpression(node) || (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type))) {
            const [first, last] = [node.getStart(), node.getEnd()].map((place) => source.getLineAndCharacterOfPosition(place).line)
            const around = [lines[first! - 1], lines[first!], lines[last!]]
            found.push({ at: `${file}:${first! + 1}`, isSaid: around.some((line) => /(^|\s)(\/\/|\*)/.test(line ?? '')) })
          }
          ts.forEachChild(node, visit)
        }
        visit(source)
        return found
      })
    const silent = casts
      .filter(({ isSaid }) => !isSaid)
      .map(({ at }) => `${at}: read it through domain/values/unknownValues.ts or a guard, or say why`)
    expect(silent).toEqual([])
    expect(casts.length, 'a cast more than there were: find what makes it needless').toBeLessThanOrEqual(most)
  })
  it('a function has at most three parameters; more become one object whose fields name them', () => {
    const exempt: Record<string, string> = {
      'client/nonStaffing/entries/sheetColumns.tsx comparator': 'AG Grid calls it so',
      'server/app.ts': 'Express knows who answers for errors by its four',
      'domain/words/errors.ts DomainError': 'kind, code and sentence of every error, and seldom more',
      'domain/calculation/split.ts divideRoundingDown': 'called for every share of every amount, where an object each time would be felt',
    }
    const met = new Set<string>()
    const wrong = code
      .filter((file) => /^(domain|drizzle|server|worker|client)\/.*\.tsx?$/.test(file))
      .flatMap((file) => {
        const source = ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest)
        // A rest parameter is a list of any length, so it does not count.
        const taken = ({ parameters }: ts.SignatureDeclaration): number =>
          parameters.filter(({ name, dotDotDotToken }) => !dotDotDotToken && name.getText(source) !== 'this').length
        const found: string[] = []
        const visit = (node: ts.Node, parent: ts.Node): void => {
          if (ts.isFunctionLike(node) && node.parameters.length > 3 && taken(node) > 3) {
            const owner =
              ts.isClassDeclaration(parent) && ts.isConstructorDeclaration(node)
                ? parent
                : ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
                  ? parent
                  : node
            const at = owner.name ? `${file} ${owner.name.getText(source)}` : file
            met.add(at)
            const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
            if (!exempt[at])
              found.push(
                `${file}:${line + 1}: ${taken(node)}; what a command or query knows of its call is a Call (server/core/calls/call.ts)`,
              )
          }
          ts.forEachChild(node, (child) => visit(child, node))
        }
        visit(source, source)
        return found
      })
    expect(wrong).toEqual([])
    expect(Object.keys(exempt).filter((one) => !met.has(one))).toEqual([])
  }, 120_000)
  it('special treatment of an entity is in its declaration or hooks, not in a comparison with its name', () => {
    const names = Object.keys({ ...resources, ...separatelyStoredResources }).join('|')
    const asked = new RegExp(
      `\\.name\\s*[!=]==\\s*'(${names})'|'(${names})'\\s*[!=]==\\s*\\w+\\.name\\b|\\]\\.includes\\(\\w*[rR]esource\\.name\\)|switch \\(\\w*[rR]esource\\.name\\)|[!=]== resources\\.\\w+`,
    )
    const wrong = code
      .filter((file) => /^(domain|drizzle|server|worker|client)\//.test(file))
      .flatMap((file) => {
        const found = asked.exec(text(file))
        return found ? [`${file}: ${found[0]}`] : []
      })
    expect(wrong.map((one) => `${one}: say it in domain/resources/entities or in server/resources/hooks`)).toEqual([])
  })
  it('a lookup id is referred to by a name for its meaning, never by its number', () => {
    const fields =
      'calculationType|versionType|payScaleRegion|requestType|recalculationState|erPensionCalculation|inflationSetting|organisationType|category|method|(?<!content|mime)[tT]ype|(?:budget|loaded|row|costs|data)\\??\\.state'
    const bare = new RegExp(`\\b(${fields}) (===|!==|<=|>=|<|>) \\d+\\b`)
    const wrong = code
      .filter((file) => /^(domain|server|worker|client)\//.test(file) && !file.startsWith('server/hub/'))
      .flatMap((file) => {
        const found = bare.exec(text(file))
        return found ? [`${file}: ${found[0]}: name it in domain/lookups/lookupIds.ts`] : []
      })
    expect(wrong).toEqual([])
  })
  it('the architecture page names every folder of domain, server and tests, and no other', () => {
    const page = 'docs/developers/architecture.md'
    const [, map = ''] = text(page).split('\n## Folders\n')
    const [section = ''] = map.split('\n## ')
    const mapped = [...section.matchAll(/^- `([\w/]+)\/`: /gm)].map((match) => match[1]!)
    const folders = [...new Set(files.flatMap((file) => /^(?:domain|server|tests)\/[^/]+(?=\/)/.exec(file) ?? []))]
    expect(folders.filter((folder) => !mapped.includes(folder)).map((folder) => `${folder}: say in ${page} what it holds`)).toEqual([])
    expect(mapped.filter((folder) => !folders.includes(folder)).map((folder) => `${folder}: remove it from ${page}`)).toEqual([])
    expect(new Set(mapped).size).toBe(mapped.length)
  })
  it('no module looks for a file beside itself, because bundles are elsewhere: it starts from the root folder', () => {
    const shipped = code.filter((file) => /^(domain|drizzle|server|worker)\/.*\.ts$/.test(file))
    const beside = /import\.meta\.(dirname|filename)|new URL\('\.\.?\/(?!longCallThread\.mjs')/
    // The module that finds the root folder, and the one that writes the first lines of a bundle.
    const known = ['server/core/root.ts', 'server/launch/bundle.ts']
    expect(
      shipped.filter((file) => beside.test(text(file)) && !known.includes(file)).map((file) => `${file}: use root (server/core/root.ts)`),
    ).toEqual([])
  })
  it('no sentence for users names a function of the code, so that renaming one does not change a sentence', () => {
    const parts = code.filter(
      (file) => /^(domain|server|worker|client)\/.*\.tsx?$/.test(file) && file !== 'server/core/database/database.ts',
    )
    const named = parts.flatMap((file) =>
      [...text(file).matchAll(/^export (?:async )?function ([a-z]+[A-Z]\w*)/gm)].map(([, name]) => name!),
    )
    const functions = new Set(named)
    const wrong = parts.flatMap((file) =>
      [...text(file).matchAll(/(['`])([A-Z](?:(?!\1)[^\n])* (?:(?!\1)[^\n])*\.)\1/g)].flatMap(([, , sentence = '']) =>
        (sentence.replace(/\$\{.*\}/, '').match(/\b[a-z]+[A-Z]\w*/g) ?? [])
          .filter((word) => functions.has(word))
          .map((word) => `${file}: ${word} in "${sentence}"`),
      ),
    )
    expect(functions.size).toBeGreaterThan(1000)
    expect(wrong).toEqual([])
  })
  it('every table comes from client/ui/table, so that all have the same keys, widths and print layout', () => {
    const table = /<table[\s>]|<Table[\s>.]|import \{[^}]*\bTable\b[^}]*\} from '@mantine\/core'/
    const wrong = code.filter((file) => /^client\/.*\.tsx$/.test(file) && !file.startsWith('client/ui/table/') && table.test(text(file)))
    expect(wrong.map((file) => `${file}: use DataTable, or FieldTable where people type`)).toEqual([])
  })
  it('no file only re-exports: everything is imported from where it is defined', () => {
    expect(code.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([])
    expect(code.filter((file) => /^export \* from/m.test(text(file)))).toEqual([])
  })
  it('no committed file names a registry or a machine', () => {
    expect(text('package-lock.json')).not.toMatch(/"resolved"/)
    const machine = new RegExp(['/work/', '/root/', 'registry\\.npmjs'].join('|'))
    expect(
      files.filter((file) => !/\.(png|svg|woff2)$/.test(file) && file !== 'tests/architecture/house.test.ts' && machine.test(text(file))),
    ).toEqual([])
  })
  it('only the shell has global classes: a component uses the classes of its module, and the module defines them', () => {
    const styles = files.filter((file) => /^client\/.*\.css$/.test(file) && !file.startsWith('client/public/'))
    expect(styles.filter((file) => !file.endsWith('.module.css'))).toEqual(['client/shell/base.css'])
    const named = new Set<string>()
    const wrong = code
      .filter((file) => file.startsWith('client/'))
      .flatMap((file) => {
        const source = text(file)
        const literal = [...source.matchAll(/className="(?!mantine-)[^"]*"/g)].map((match) => `${file}: ${match[0]}`)
        const unknown = [...source.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'$/gm)].flatMap(([, name, path]) => {
          const module = relative(root, resolve(root, dirname(file), path!))
          return [...source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))]
            .filter((match) => named.add(`${module} ${match[1]}`) && !new RegExp(`\\.${match[1]}\\b`).test(text(module)))
            .map((match) => `${file}: ${match[0]} is not in ${module}`)
        })
        return [...literal, ...unknown]
      })
    expect(wrong).toEqual([])
    // Built at run time from the tone of a pill.
    const byTone = ['good', 'warn', 'bad'].map((tone) => `client/ui/labels/Pill.module.css ${tone}`)
    const unused = styles
      .filter((file) => file.endsWith('.module.css'))
      .flatMap((file) => [
        ...new Set(
          [
            ...text(file)
              .replace(/:global\([^)]*\)|\{[^}]*\}/g, ' ')
              .matchAll(/\.([a-zA-Z]\w*)/g),
          ].map((match) => `${file} ${match[1]}`),
        ),
      ])
    expect(unused.filter((one) => !named.has(one) && !byTone.includes(one))).toEqual([])
  })
})
