import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Block, type Page, readPage } from './markdown.ts'

/** The languages that can be run: the words allowed after each, and the program that runs it. */
export const languages: Readonly<Record<string, { words: readonly string[]; program: string }>> = {
  sh: { words: ['run'], program: 'bash' },
  python: { words: ['run', 'file'], program: 'python3' },
  ts: { words: ['run', 'file'], program: process.execPath },
}

/** The address of the product in the documentation. */
const address = 'http://localhost:3000'

/** A block that is run, or stored as a file for the others. */
export interface Example extends Block {
  page: string
}

/** The blocks of a page that are marked `run` or `file`, in order. */
export function examplesOf(page: Page): Example[] {
  return readPage(page)
    .blocks.filter(({ language, words }) => words.length > 0 && languages[language])
    .map((block) => ({ ...block, page: page.path }))
}

/** Names a block in a report. */
export const nameExample = ({ page, line, language }: Example): string => `${page}:${line} ${language}`

/** Whether the program that runs a language is installed. */
export function isInstalled(language: string): boolean {
  const program = languages[language]?.program
  return program !== undefined && !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
}

/** The result of running a block. */
export interface Outcome {
  /** Null if the block took too long and was stopped. */
  exitCode: number | null
  output: string
}

/** Compiles the TypeScript files in a folder into its subfolder `out`. @returns the compiler’s errors by file */
export type Compile = (folder: string) => Promise<Readonly<Record<string, readonly string[]>>>

interface Setting {
  /** The folder in which `sh` blocks run. */
  root: string
  /** The folder for the page’s files, in which its Python and TypeScript run. */
  folder: string
  /** The address of the running product, which replaces the one in the page. */
  origin: string
  env: NodeJS.ProcessEnv
  compile: Compile
  /** The time limit of a block. */
  limitMs: number
}

/**
 * In the pages a refused call prints its error. In this test it must fail the block, unless the block already gives curl a --fail option.
 */
const curl = `curl() {
  local one
  for one; do [[ $one =~ ^(--fail.*|-[a-zA-Z]*f[a-zA-Z]*)$ ]] && { command curl "$@"; return; }; done
  command curl --fail-with-body --show-error "$@"
}`

/** The most characters of a block’s output that a report shows. */
const mostOutput = 4000

/**
 * Runs the blocks of one page in order, as a reader would in one terminal: a variable set by a shell block stays set for the later blocks.
 */
export class Session {
  readonly #setting: Setting
  /** Holds the shell’s variables, outside the page’s folder. */
  readonly #kept = mkdtempSync(join(tmpdir(), 'bursar-docs-'))
  #compiled: ReturnType<Compile> | undefined

  constructor(examples: readonly Example[], setting: Setting) {
    this.#setting = setting
    mkdirSync(setting.folder, { recursive: true })
    for (const example of examples) if (example.language !== 'sh') writeFileSync(this.#fileOf(example), this.#codeOf(example))
  }

  /** Runs a block. @returns its result; null for a block that is only stored as a file */
  async run(example: Example): Promise<Outcome | null> {
    if (example.language === 'ts') return this.#runTypeScript(example)
    if (example.words[0] === 'file') return null
    if (example.language === 'python') return this.#bash(`exec python3 '${this.#fileOf(example)}'`, this.#setting.folder)
    return this.#bash(`${curl}\nset -a\n${this.#codeOf(example)}\nset +a\nexport -p > '${this.#variables}'`, this.#setting.root)
  }

  /** Removes the stored shell variables. */
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

  /** The file name of a block: the one in its first line, if any. */
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
      // A process group of its own, so that everything the block started is stopped with it.
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

/** What is wrong with a block’s result; null if it did what it should. */
export function problemOf(example: Example, outcome: Outcome | null): string | null {
  if (!outcome || outcome.exitCode === 0) return null
  const ended = outcome.exitCode === null ? 'did not end in time' : `ended with exit code ${outcome.exitCode}`
  return `${nameExample(example)}: the block ${ended}. Correct it, or take out \`run\`. It printed:\n${outcome.output}`
}
