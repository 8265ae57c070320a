import { rest } from '../api.ts'
import { download } from '../notify.tsx'

/**
 * Offers what a REST call answers as a file to save, under the name that the reply gives it.
 * @throws what the server said, where it refused
 */
export async function saveReply(path: string, request?: RequestInit): Promise<void> {
  const reply = await rest(path, request)
  if (!reply.ok) throw new Error(await reply.text())
  const [, fileName = 'File'] = /filename\*=UTF-8''(.*)$/.exec(reply.headers.get('content-disposition') ?? '') ?? []
  const body = await reply.blob()
  download({ fileName: decodeURIComponent(fileName), contentType: body.type, body })
}
