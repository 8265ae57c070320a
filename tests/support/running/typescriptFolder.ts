import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from '../product/endings.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const tools = join(root, 'node_modules')

/** A folder for the sources of a client in TypeScript, below node_modules so that they find what they import. It ends with the test file. */
export function typescriptFolder(): string {
  mkdirSync(join(tools, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(tools, '.cache/client-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  prepareFolder(folder)
  return folder
}

/** Puts the settings of the compiler into a folder. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(root, 'tests/clients/typescript/tsconfig.json'), join(folder, 'tsconfig.json'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Writes the types of the API as a reader does, from the description that a running product gives. */
export async function writeApiTypes(origin: string, folder: string): Promise<void> {
  const generator = join(tools, 'openapi-typescript/bin/cli.js')
  await run(process.execPath, [generator, `${origin}/api/openapi.json`, '-o', join(folder, 'bursar.d.ts')])
}

/** Compiles the files of a folder into its folder `out`. @returns the errors by file; under an empty name what names none */
export async function compileFolder(folder: string, ...options: string[]): Promise<Record<string, string[]>> {
  const output = await run(process.execPath, [join(tools, '@typescript/native/bin/tsc'), '-p', folder, ...options]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  const errors: Record<string, string[]> = {}
  for (const [, file, message] of output.matchAll(/([\w-]+\.ts)[(:].*?error (TS\d+: .*)$/gm)) (errors[file!] ??= []).push(message!)
  return output && !Object.keys(errors).length ? { '': [output] } : errors
}
