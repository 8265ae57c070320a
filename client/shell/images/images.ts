import { rest, restOnce } from '../api.ts'

/**
 * Uploads a picture.
 * @throws Error with the server's message if it is too large or not a picture
 */
export async function sendImage(file: File, isForEveryone: boolean): Promise<{ id: number }> {
  const body = new FormData()
  body.append('file', file)
  const name = `${file.name} ${file.size} ${file.lastModified}`
  const reply = await restOnce('/api/Images', { name, init: { method: 'POST', body }, ofNoOrganisation: isForEveryone })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.json()
}

/**
 * Downloads a stored picture.
 * @throws Error if it does not exist
 */
export async function readImage(id: number): Promise<Blob> {
  const reply = await rest(`/api/Images/${id}`)
  if (!reply.ok) throw new Error(await reply.text())
  return reply.blob()
}
