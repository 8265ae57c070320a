import { rest, restOnce } from '../api.ts'

/** Stores a picture. @throws Error with the server's sentence when it is too large or no picture */
export async function sendImage(file: File, isForEveryone: boolean): Promise<{ id: number }> {
  const body = new FormData()
  body.append('file', file)
  const name = `${file.name} ${file.size} ${file.lastModified}`
  const reply = await restOnce('/api/Images', { name, init: { method: 'POST', body }, ofNoOrganisation: isForEveryone })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.json()
}

/** The bytes of a stored picture. @throws Error when there is none */
export async function readImage(id: number): Promise<Blob> {
  const reply = await rest(`/api/Images/${id}`)
  if (!reply.ok) throw new Error(await reply.text())
  return reply.blob()
}
