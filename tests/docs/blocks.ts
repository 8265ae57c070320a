import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Block, type Page, readPage } from './markdown.ts'

/** The languages of blocks that can be run: the words after each, and the program that runs it. */
export const languages: Readonly<Record<string, { words: readonly string[]; program: string }>> = {
  sh: { words: ['run'], program: 'bash' },
  python: { words: ['run', 'file'], program: 'python3' },
  ts: { words: ['run', 'file'], program: process.execPath },
}

/** The address that pages give the product. */
const address = 'http://localhost:3000'

/** A block that is run, or kept as a file for those that are. */
export interface Example extends Block {
  page: string
}

/** The blocks of a page that are marked to be run or kept, in their order. */
export function examplesOf(page: Page): Example[] {
  return readPage(page)
    .blocks.filter(({ language, words }) => words.length > 0 && languages[language])
    .map((block) => ({ ...block, page: page.path }))
}

/** How to name a block in a report. */
export const nameOf = ({ page, line, language }: Example): string => `${page}:${line} ${language}`

/** Whether the program that runs a language is installed. */
export function isInstalled(language: string): boolean {
  const program = languages[language]?.program
  return program !== undefined && !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
}

/** What came of a block. */
export interface Outcome {
  /** Null: it took too long and was stopped. */
  exitCode: number | null
  output: string
}

/** What the TypeScript compiler says of the files in a folder, by file. Compiled files go into its folder `out`. */
export type Compile = (folder: string) => Promise<Readonly<Record<string, readonly string[]>>>

interface Setting {
  /** Where `sh` blocks run. */
  root: string
  /** Where the files of the page are kept, and its Python and TypeScript run. */
  folder: string
  /** The address of the running product, in place of the one in the pages. */
  origin: string
  env: NodeJS.ProcessEnv
  compile: Compile
  /** How long a block may take. */
  limitMs: number
}

/** Readers see a refusal; here it must end the block. Where a block asks curl to fail itself, it does it as the block says. */
const curl = `curl() {
  local one
  for one; do [[ $one =~ ^(--fail.*|-[a-zA-Z]*f[a-zA-Z]*)$ ]] && { command curl "$@"; return; }; done
  command curl --fail-with-body --show-error "$@"
}`

/** The most that a report shows of what a block printed. */
const mostOutput = 4000

/**
 * The blocks of one page, run one after the other as a reader runs them in one terminal: variables that one shell block sets are there in the
 * blocks after it.
 */
export class Session {
  readonly #setting: Setting
  /** Outside of the folder of the page: the variables of the shell. */
  readonly #kept = mkdtempSync(join(tmpdir(), 'bursar-docs-'))
  #compiled: ReturnType<Compile> | undefined

  constructor(examples: readonly Example[], setting: Setting) {
    this.#setting = setting
    mkdirSync(setting.folder, { recursive: true })
    for (const example of examples) if (example.language !== 'sh') writeFileSync(this.#fileOf(example), this.#codeOf(example))
  }

  /** Runs a block. @returns what came of it; null for a block that is only kept as a file */
  async run(example: Example): Promise<Outcome | null> {
    if (example.language === 'ts') return this.#runTypeScript(example)
    if (example.words[0] === 'file') return null
    if (example.language === 'python') return this.#bash(`exec python3 '${this.#fileOf(example)}'`, this.#setting.folder)
    return this.#bash(`${curl}\nset -a\n${this.#codeOf(example)}\nset +a\nexport -p > '${this.#variables}'`, this.#setting.root)
  }

  /** Forgets the variables of the shell. */
  end(): void {
    rmSync(this.#kept, { recursive: true, force: true })
  }

  async #runTypeScript(example: Example): Promise<Outcome | null> {
    this.#compiled ??= this.#setting.compile(this.#setting.folder)
    const errors = await this.#compiled
    const name = this.#nameOf(example)
    const own = errors[name] ?? errors['']
    if (own) return { exitCode: 2, output: own.join('\n') }
    if (example.words[0] === 'file') return null
    return this.#bash(`exec '${process.execPath}' '${join(this.#setting.folder, 'out', name.replace(/ts$/, 'js'))}'`, this.#setting.folder)
  }

  get #variables(): string {
    return join(this.#kept, 'variables')
  }

  /** A block that names itself in its first line is kept under that name. */
  #nameOf({ words, code, line, language }: Example): string {
    const [, name] = /^(?:#|\/\/) ([\w-]+\.(?:py|ts))\n/.exec(code) ?? []
    return words[0] === 'file' && name ? name : `line${line}.${language === 'python' ? 'py' : language}`
  }

  #fileOf(example: Example): string {
    return join(this.#setting.folder, this.#nameOf(example))
  }

  #codeOf({ code }: Example): string {
    return code.replaceAll(address, this.#setting.origin)
  }

  #bash(script: string, cwd: string): Promise<Outcome> {
    const variables = existsSync(this.#variables) ? `. '${this.#variables}'\n` : ''
    const child = spawn('bash', ['-eo', 'pipefail', '-c', variables + script], {
      cwd,
      // A group of its own: what it starts is stopped with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#setting.env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    const late = setTimeout(() => {
      output += `\nStopped after ${this.#setting.limitMs / 1000} seconds.`
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, this.#setting.limitMs)
    return new Promise((done, failed) => {
      child.on('error', failed)
      child.on('close', (exitCode) => {
        clearTimeout(late)
        done({ exitCode, output: output.slice(-mostOutput) })
      })
    })
  }
}

/** What is wrong with a block that was run; null for one that did what it should. */
export function problemOf(example: Example, outcome: Outcome | null): string | null {
  if (!outcome || outcome.exitCode === 0) return null
  const ended = outcome.exitCode === null ? 'did not end in time' : `ended with exit code ${outcome.exitCode}`
  return `${nameOf(example)}: the block ${ended}. Correct it, or take out \`run\`. It printed:\n${outcome.output}`
}
