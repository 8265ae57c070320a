import { fetchRest } from '../api.ts'
import { downloadFile } from '../notify.tsx'

/**
 * Downloads the reply of a REST call, under the file name in the reply's headers.
 * @throws the error of the server's refusal
 */
export async function downloadReply(path: string, request?: RequestInit): Promise<void> {
  const reply = await fetchRest(path, request)
  if (!reply.ok) throw new Error(await reply.text())
  const [, fileName = 'File'] = /filename\*=UTF-8''(.*)$/.exec(reply.headers.get('content-disposition') ?? '') ?? []
  const body = await reply.blob()
  downloadFile({ fileName: decodeURIComponent(fileName), contentType: body.type, body })
}
