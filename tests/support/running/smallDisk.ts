import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../product/endings.ts'

/** Megabytes that are left on it beside what lies there at first. */
const spareMegabytes = 96

/** A file system of its own, which can be full. */
export interface SmallDisk {
  /** Takes what is left, to the last block; what has been given back since as well, when it is asked again. */
  fill(): void
  /** Gives it back. */
  free(): void
}

const mount = (folder: string, megabytes: number) => spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'bursar', folder])
const unmount = (folder: string) => spawnSync('umount', ['--lazy', folder])

/** Whether this machine lets this user have a file system of its own; says so loudly where it does not. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-disk-'))
  const isMounted = mount(folder, 1).status === 0
  if (isMounted) unmount(folder)
  rmSync(folder, { recursive: true, force: true })
  if (!isMounted) console.warn('NOT TRIED: a disk that is really full, for this user may mount none. What PostgreSQL says of one is tried.')
  return isMounted
}

/** Puts a folder, in which nobody writes meanwhile, on a file system of its own that has little more room than for what it holds. */
export function ontoSmallDisk(folder: string): SmallDisk {
  const kept = `${folder}-kept`
  const used = Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0])
  renameSync(folder, kept)
  mkdirSync(folder)
  const { status, stderr } = mount(folder, used + spareMegabytes)
  if (status !== 0) throw new Error(`Not mounted: ${stderr}`)
  atEnd(() => unmount(folder))
  // Whose it is and who may enter it comes with what it holds.
  execFileSync('cp', ['-a', `${kept}/.`, folder])
  rmSync(kept, { recursive: true })
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      const file = openSync(ballast, 'a')
      const block = Buffer.alloc(4096)
      try {
        for (;;) writeSync(file, block)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
  }
}
