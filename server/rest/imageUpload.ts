import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import multer from 'multer'
import { DomainError } from '../../domain/words/errors.ts'
import { largestImageBytes } from '../../domain/words/notices.ts'
import { hasMediaType } from '../http/body.ts'

const upload = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: largestImageBytes, files: 1, fields: 5, fieldSize: 1000 },
}).single('file')

/**
 * Reads the single file of a multipart form. Call it only after identifying the caller, so that strangers cannot upload.
 * @throws DomainError 400 if the form cannot be read, 413 if the picture is too large
 */
export function readImageUpload(request: IncomingMessage, res: ServerResponse): Promise<object> {
  return new Promise((done, failed) => {
    if (!hasMediaType(request.headers['content-type'], 'multipart/form-data')) return done({ isForm: false })
    if (request.destroyed) return failed(unreadableFile())
    // Multer does not use what Express adds to these objects, and it adds the file and fields itself.
    const [req, reply] = [request as Request, res as Response]
    upload(req, reply, (error: unknown) => {
      if (error instanceof multer.MulterError && error.code === 'LIMIT_FILE_SIZE')
        return failed(new DomainError('tooLarge', 'fileTooLarge', `The file is larger than ${largestImageBytes / 1024 / 1024} MB.`))
      if (error) return failed(unreadableFile())
      done(req.file ? { fileName: req.file.originalname, bytes: req.file.buffer } : {})
    })
  })
}

const unreadableFile = (): DomainError =>
  new DomainError('invalid', 'file', 'The file could not be read. Send one file in the field named file.')
