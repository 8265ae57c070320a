import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../product/endings.ts'

/** Megabytes left free beside the files on it at the start. */
const spareMegabytes = 96

/** A small file system of its own, which can be filled. */
export interface SmallDisk {
  /** Uses up the free space to the last block. Called again, it also takes what has become free since. */
  fill(): void
  /** Frees that space again. */
  free(): void
}

const mount = (folder: string, megabytes: number) => spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'bursar', folder])
const unmount = (folder: string) => spawnSync('umount', ['--lazy', folder])

/** Whether this user may mount a file system on this machine. Prints a warning if not. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-disk-'))
  const isMounted = mount(folder, 1).status === 0
  if (isMounted) unmount(folder)
  rmSync(folder, { recursive: true, force: true })
  if (!isMounted) console.warn('NOT TRIED: a disk that is really full, for this user may mount none. What PostgreSQL says of one is tried.')
  return isMounted
}

/** Moves a folder to a small file system with little free space. Nobody may write to the folder meanwhile. */
export function moveToSmallDisk(folder: string): SmallDisk {
  const savedFolder = `${folder}-kept`
  const used = Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0])
  renameSync(folder, savedFolder)
  mkdirSync(folder)
  const { status, stderr } = mount(folder, used + spareMegabytes)
  if (status !== 0) throw new Error(`Not mounted: ${stderr}`)
  atEnd(() => unmount(folder))
  // `-a` keeps owners and permissions.
  execFileSync('cp', ['-a', `${savedFolder}/.`, folder])
  rmSync(savedFolder, { recursive: true })
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
