import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from '../product/endings.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const tools = join(root, 'node_modules')

/**
 * Creates a folder for the sources of a TypeScript client, below node_modules so that imports resolve. It is removed with the test file.
 */
export function createTypescriptFolder(): string {
  mkdirSync(join(tools, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(tools, '.cache/client-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  prepareFolder(folder)
  return folder
}

/** Writes the compiler’s settings to a folder. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(root, 'tests/clients/typescript/tsconfig.json'), join(folder, 'tsconfig.json'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Writes the API’s types as a reader of the documentation would, from a running product’s OpenAPI document. */
export async function writeApiTypes(origin: string, folder: string): Promise<void> {
  const generator = join(tools, 'openapi-typescript/bin/cli.js')
  await run(process.execPath, [generator, `${origin}/api/openapi.json`, '-o', join(folder, 'bursar.d.ts')])
}

/** Compiles the files of a folder into its subfolder `out`. @returns the errors by file; under an empty name those of no file */
export async function compileFolder(folder: string, ...options: string[]): Promise<Record<string, string[]>> {
  const output = await run(process.execPath, [join(tools, '@typescript/native/bin/tsc'), '-p', folder, ...options]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  const errors: Record<string, string[]> = {}
  for (const [, file, message] of output.matchAll(/([\w-]+\.ts)[(:].*?error (TS\d+: .*)$/gm)) (errors[file!] ??= []).push(message!)
  return output && !Object.keys(errors).length ? { '': [output] } : errors
}
