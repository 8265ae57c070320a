import { fetchRest, fetchRestOnce } from '../api.ts'

/**
 * Uploads a picture.
 * @throws Error with the server's message if it is too large or not a picture
 */
export async function uploadImage(file: File, isForEveryone: boolean): Promise<{ id: number }> {
  const body = new FormData()
  body.append('file', file)
  const name = `${file.name} ${file.size} ${file.lastModified}`
  const reply = await fetchRestOnce('/api/Images', { name, init: { method: 'POST', body }, ofNoOrganisation: isForEveryone })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.json()
}

/**
 * Downloads a stored picture.
 * @throws Error if it does not exist
 */
export async function downloadImage(id: number): Promise<Blob> {
  const reply = await fetchRest(`/api/Images/${id}`)
  if (!reply.ok) throw new Error(await reply.text())
  return reply.blob()
}
