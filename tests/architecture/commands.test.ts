import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { assertDefined } from '../../domain/values/assertDefined.ts'

const root = resolve(import.meta.dirname, '../..')
const listed = (...folders: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts'))

/** A source file with its declarations and named imports. */
interface Module {
  file: string
  source: ts.SourceFile
  /** Every declaration of a name, at any depth of the file, with the scope in which the name is visible. */
  declared: Map<string, { node: ts.Node; scope: ts.Node }[]>
  /** Imported names, each as `file#name`. */
  imported: Map<string, string>
}

function read(file: string): Module {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const declared: Module['declared'] = new Map()
  const imported: Module['imported'] = new Map()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const from = relative(root, resolve(root, dirname(file), textOf(node.moduleSpecifier)))
      const named = node.importClause?.namedBindings
      if (named && ts.isNamedImports(named))
        for (const { name, propertyName } of named.elements) imported.set(name.text, `${from}#${(propertyName ?? name).text}`)
    }
    if ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && node.name) {
      const loop = node.parent.parent as ts.Node | undefined
      // The variable of a for…of loop is recorded with the expression that the loop iterates over.
      const one = loop && ts.isForOfStatement(loop) ? { node: loop.expression, scope: loop } : { node, scope: scopeOf(node) }
      const names = ts.isIdentifier(node.name) ? [node.name] : identifiersIn(node.name)
      for (const { text } of names) declared.set(text, [...(declared.get(text) ?? []), one])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { file, source, declared, imported }
}

const textOf = (node: ts.Node): string => (ts.isStringLiteralLike(node) ? node.text : '')

function within(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => within(child, visit))
}

function identifiersIn(node: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = []
  within(node, (one) => void (ts.isIdentifier(one) && !isPropertyName(one) && found.push(one)))
  return found
}

const isPropertyName = (node: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node)

/** A node with all declarations of its file that it depends on, and the imports that these use. */
function findDependencies(module: Module, start: ts.Node): { nodes: ts.Node[]; imports: Set<string> } {
  const nodes = [start]
  const imports = new Set<string>()
  for (const node of nodes)
    for (const name of identifiersIn(node)) {
      const here = (module.declared.get(name.text) ?? []).filter(({ scope }) => contains(scope, name))
      for (const one of here) if (!nodes.some((other) => other === one.node || contains(other, one.node))) nodes.push(one.node)
      const from = here.length ? undefined : module.imported.get(name.text)
      if (from) imports.add(from)
    }
  return { nodes, imports }
}

/** The scope in which a declaration is visible. */
function scopeOf(node: ts.Node): ts.Node {
  let scope = node.parent
  while (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isFunctionLike(scope)) scope = scope.parent
  return scope
}

const contains = (outer: ts.Node, inner: ts.Node): boolean => inner !== outer && inner.pos >= outer.pos && inner.end <= outer.end

const product = new Map(
  listed('domain/budget', 'domain/changes', 'domain/monitoring', 'domain/payroll', 'domain/packs').map((file) => [file, read(file)]),
)

/** The refusals of a function and of everything it calls: error codes, and the fields named by string literals. */
function findRefusals(module: Module, start: ts.Node, seen = new Set<string>()): Set<string> {
  const found = new Set<string>()
  const { nodes, imports } = findDependencies(module, start)
  for (const node of nodes)
    within(node, (one) => {
      if (ts.isPropertyAssignment(one) && one.name.getText() === 'field' && textOf(one.initializer))
        found.add(`field ${textOf(one.initializer)}`)
      if (!ts.isCallExpression(one) && !ts.isNewExpression(one)) return
      const name = one.expression.getText()
      const [first, second] = one.arguments ?? []
      if (name === 'conflict' && first) found.add(textOf(first))
      if (name === 'DomainError' && second) found.add(textOf(second))
      if (name === 'notFound' || name === 'stale' || name === 'invalid' || name === 'forbidden') found.add(name)
      if (name === 'add' && first && textOf(first)) found.add(`field ${textOf(first)}`)
    })
  for (const key of imports) {
    const [file = '', name = ''] = key.split('#')
    const other = product.get(file)
    if (!other || seen.has(key)) continue
    seen.add(key)
    for (const { node } of other.declared.get(name) ?? []) for (const code of findRefusals(other, node, seen)) found.add(code)
  }
  return found
}

/** The functions that the server or the worker imports. Functions used only by other decisions are covered through those. */
const called = new Set(
  listed('server', 'worker').flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^import \{([^}]*)\} from '([^']*)'/gm)].flatMap(([, names = '', from = '']) =>
      names.split(',').map((name) => `${relative(root, resolve(root, dirname(file), from))}#${name.trim().replace(/ as .*/, '')}`),
    ),
  ),
)

interface Command {
  key: string
  /** Whether it returns events. A guard returns none and only refuses. */
  decides: boolean
  refusals: string[]
}

const commands = [...product.values()].flatMap((module) =>
  module.source.statements.flatMap((node): Command[] => {
    if (!ts.isFunctionDeclaration(node) || !node.name || !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      return []
    const returned = node.type?.getText() ?? ''
    const decides = /\b(Budget|Monitoring|Payroll)Event\[\]/.test(returned)
    const refusals = [...findRefusals(module, node)].sort()
    const guards = (returned === 'void' || returned === 'never') && refusals.length > 0
    const key = `${module.file}#${node.name.text}`
    return called.has(key) && (decides || guards) ? [{ key, decides, refusals }] : []
  }),
)

/** Refusals that a called function can make, but that this command can never reach. */
const neverRefused: Record<string, string[]> = {
  // An approval chooses an unused name for its version.
  'domain/budget/decideMoments.ts#approveBudget': ['duplicate', 'field name'],
  // It sets no fund codes, and those of the existing entry may stay.
  'domain/budget/items/decideEntry.ts#writeCalculatedEntry': ['field fundCodes'],
}

/** One `.gives(…)` or `.isRefused(…)` of a test: the commands under test, and the outcomes it expects. */
interface Expectation {
  commands: Set<string>
  what: Set<string>
}

/** The undo command behind each helper that starts a story. */
const undoOf: Record<string, string> = {
  given: 'domain/budget/undo.ts#undoSave',
  givenMonitoring: 'domain/monitoring/decide.ts#undoMonitoringChange',
  givenPayroll: 'domain/payroll/decide.ts#undoPayrollChange',
}

function findExpectations(module: Module): Expectation[] {
  const expectations: Expectation[] = []
  within(module.source, (test) => {
    if (!ts.isCallExpression(test) || !/^it(\.each(<[\s\S]*?>)?\([\s\S]*\))?$/.test(test.expression.getText())) return
    // A parameterised test (`it.each`) names the fields in its rows.
    const literals = new Set<string>()
    within(test, (node) => void (ts.isStringLiteralLike(node) && literals.add(`field ${node.text}`)))
    within(test, (node) => {
      const method = methodOf(node)
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      if (method === 'gives')
        expectations.push({ commands: commandsOf(module, node.expression.expression), what: new Set(['what it gives']) })
      if (method !== 'isRefused') return
      const said = node.arguments.flatMap((argument) => findDependencies(module, argument).nodes)
      const what = new Set(literals)
      for (const one of said)
        within(one, (part) => {
          if (ts.isPropertyAssignment(part) && part.name.getText() === 'code') what.add(textOf(part.initializer))
          if (ts.isStringLiteralLike(part)) what.add(`field ${part.text}`)
        })
      expectations.push({ commands: commandsOf(module, node.expression.expression), what })
    })
  })
  return expectations
}

const methodOf = (node: ts.Node): string | undefined =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : undefined

/** The product's functions that a test's outcome comes from: those in its `.when(…)`, written there or where the outcome is built. */
function commandsOf(module: Module, outcome: ts.Node): Set<string> {
  const found = new Set<string>()
  const look = (nodes: readonly ts.Node[]): void => {
    for (const node of nodes)
      within(node, (one) => {
        const method = methodOf(one)
        if (method === 'whenUndone')
          for (const from of findDependencies(module, one).imports) found.add(undoOf[from.replace(/^.*#/, '')] ?? '')
        if (method !== 'when' || !ts.isCallExpression(one)) return
        for (const command of one.arguments) {
          const reached = findDependencies(module, command)
          for (const from of reached.imports) found.add(from)
          const undoes = (part: ts.Node): boolean => methodOf(part) === 'undo'
          for (const part of reached.nodes) within(part, (inner) => void (undoes(inner) && found.add(assertDefined(undoOf.given))))
        }
      })
  }
  look([outcome])
  if (!found.size) look(findDependencies(module, outcome).nodes)
  return found
}

const expectations = listed('tests/domain')
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => findExpectations(read(file)))

describe('the commands of the three streams', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(60)
  })
  it('are tested as given, when, then: each for what it returns and for every refusal', () => {
    const untold = commands.flatMap(({ key, decides, refusals }) => {
      const own = expectations.filter((one) => one.commands.has(key))
      return [...(decides ? ['what it gives'] : []), ...refusals]
        .filter((what) => !neverRefused[key]?.includes(what) && !own.some((one) => one.what.has(what)))
        .map((what) => `${key}: ${what}`)
    })
    expect(untold, 'write a test in tests/domain/ that tells it with `.when(…).gives(…)` or `.isRefused(…)`').toEqual([])
  })
})
