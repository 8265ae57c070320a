import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** The image that a Dockerfile builds; `folder` stands in for its root directory. */
export interface Image {
  folder: string
  workdir: string
  env: Record<string, string>
  user: string
  command: string[]
}

interface Stage extends Image {
  name: string
}

/** The files of the build context: the project’s files without those in `.dockerignore`. */
function contextFiles(): string[] {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`))
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(join(root, file)) && !ignored.some((pattern) => pattern.test(file)))
}

/** The instructions of a Dockerfile, with continued lines joined. */
function instructionsOf(text: string): [string, string][] {
  return text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => {
      const at = line.indexOf(' ')
      return [line.slice(0, at), line.slice(at + 1).trim()]
    })
}

/**
 * Carries out the instructions of the Dockerfile, each stage in a clean folder: the same copies and the same commands. Only `npm ci`, which
 * takes a minute, is replaced: it is checked that the copied files are enough for it and that the lock file is complete, and the packages
 * already installed here from the same lock file are used.
 * @param target a new folder that every user may enter
 * @param owner the user on this machine who stands for the image’s user
 * @throws Error for an unknown instruction, or a command that fails
 */
export async function buildImage(target: string, owner: { uid: number; gid: number }): Promise<Image> {
  const stages: Stage[] = []
  for (const [instruction, words] of instructionsOf(readFileSync(join(root, 'Dockerfile'), 'utf8'))) {
    const stage = stages.at(-1)
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(words)?.[1] ?? 'last'
      const folder = join(target, name)
      mkdirSync(folder, { recursive: true })
      stages.push({ name, folder, workdir: '/', env: {}, user: 'root', command: [] })
    } else if (!stage) throw new Error(`${instruction} stands before FROM`)
    else if (instruction === 'WORKDIR') {
      stage.workdir = words
      mkdirSync(join(stage.folder, words), { recursive: true })
    } else if (instruction === 'ENV') {
      const [name, value] = words.split('=') as [string, string]
      stage.env[name] = value
    } else if (instruction === 'COPY') copy(stages, stage, words.split(/\s+/))
    else if (instruction === 'RUN') await run(stage, words, owner)
    else if (instruction === 'USER') stage.user = words
    else if (instruction === 'CMD') stage.command = JSON.parse(words)
    else if (instruction !== 'EXPOSE') throw new Error(`The Dockerfile says ${instruction}, which this does not know`)
  }
  return stages.at(-1)!
}

function copy(stages: readonly Stage[], stage: Stage, words: string[]): void {
  const from = /^--from=(\w+)$/.exec(words[0]!)?.[1]
  const sources = from ? words.slice(1, -1) : words.slice(0, -1)
  const to = join(stage.folder, resolve(stage.workdir, words.at(-1)!))
  for (const source of sources) {
    if (from) {
      cpSync(join(stages.find((one) => one.name === from)!.folder, source), to, { recursive: true })
      continue
    }
    const isFolder = statSync(join(root, source)).isDirectory()
    const copiedFiles = contextFiles().filter((file) => source === '.' || file === source || file.startsWith(`${source}/`))
    for (const file of copiedFiles) {
      const within = isFolder && source !== '.' ? file.slice(source.length + 1) : isFolder ? file : basename(file)
      mkdirSync(dirname(join(to, within)), { recursive: true })
      cpSync(join(root, file), join(to, within))
    }
  }
}

async function run(stage: Stage, words: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const cwd = join(stage.folder, stage.workdir)
  const { PATH, HOME } = process.env
  if (words.startsWith('npm ci')) {
    const looking = `${words} --dry-run --offline --ignore-scripts`
    await promisify(execFile)('sh', ['-c', looking], { cwd, env: { PATH, HOME, ...stage.env } })
    return symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  }
  // Absolute paths and the `node` user of the image do not exist on this machine: use the stage's folder and the
  // current user.
  const here = words.replaceAll(/ (\/\w+)/g, ` ${stage.folder}$1`).replaceAll('node:node', `${uid}:${gid}`)
  await promisify(execFile)('sh', ['-c', here], { cwd, env: { PATH, HOME, ...stage.env } })
  for (const match of words.matchAll(/ (\/\w+)/g)) chmodSync(join(stage.folder, match[1]!), 0o755)
}
