// Installs missing packages, then runs the script. It is plain JavaScript, because a new machine has no packages yet. In a release, everything
// is installed and built.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Bursar needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Finds the first line of npm's output that says what is wrong. */
function findReason(words) {
  const lines = words.split('\n').map((line) => line.replace(/^npm error\s*/, '').trim())
  return lines.find((line) => line && !/^(code|errno|syscall|A complete log)/.test(line)) ?? 'npm ci failed.'
}

export function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const mark = join(root, 'node_modules/.bursar')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return
  const began = Date.now()
  process.stdout.write('Installing packages ... ')
  // Building the client needs development packages, whatever NODE_ENV says.
  const result = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    console.error(`\nThe packages could not be installed: ${findReason(String(result.stderr))}`)
    process.exit(1)
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(mark, lock)
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`)
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  if (major < 22)
    console.log(
      `Node ${major} gets no more security fixes. It is fine for trying Bursar; run a deployment on Node 22 or newer, as the image does.`,
    )
  const isReleased = existsSync(join(root, 'run/start.mjs'))
  if (!isReleased) install()
  const [script = isReleased ? 'run/start.mjs' : 'server/launch/start.ts', ...rest] = process.argv.slice(2)
  const isProduct = /^(server.launch|run)/.test(script) && process.platform !== 'win32'
  const child = spawn(process.execPath, [...(isReleased ? [] : ['--import', 'tsx']), join(root, script), ...rest], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // A terminal sends Ctrl-C to its whole process group, but not to detached processes, so the launcher can stop PostgreSQL after
    // the servers that use it; it receives the signal from here.
    detached: isProduct,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (signal === 'SIGTERM' || isProduct) && child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
