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
 * Reads the one file of a form as the procedure takes it; who calls is known already, so that a stranger sends nothing.
 * @throws DomainError 400 for a form that cannot be read, 413 for a picture that is too large
 */
export function imageUpload(asked: IncomingMessage, res: ServerResponse): Promise<object> {
  return new Promise((done, failed) => {
    if (!hasMediaType(asked.headers['content-type'], 'multipart/form-data')) return done({ isForm: false })
    if (asked.destroyed) return failed(unread())
    // It looks at nothing that Express adds, and adds the file and the other fields.
    const [req, reply] = [asked as Request, res as Response]
    upload(req, reply, (error: unknown) => {
      if (error instanceof multer.MulterError && error.code === 'LIMIT_FILE_SIZE')
        return failed(new DomainError('tooLarge', 'fileTooLarge', `The file is larger than ${largestImageBytes / 1024 / 1024} MB.`))
      if (error) return failed(unread())
      done(req.file ? { fileName: req.file.originalname, bytes: req.file.buffer } : {})
    })
  })
}

const unread = (): DomainError => new DomainError('invalid', 'file', 'The file could not be read. Send one file in the field named file.')
