import type { NextFunction, Request, Response } from 'express'
import multer from 'multer'
import { DomainError } from '../../domain/errors.ts'
import { largestImageBytes } from '../../domain/notices.ts'

const upload = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: largestImageBytes, files: 1, fields: 5, fieldSize: 1000 },
}).single('file')

/** Reads the one file of a form into the body of the call, as the procedure takes it. */
export function imageUpload(req: Request, res: Response, next: NextFunction): void {
  // Who calls is asked first, so that a stranger learns nothing; then a call without a form is refused.
  if (!req.is('multipart/form-data')) {
    req.body = { isForm: false }
    next()
    return
  }
  upload(req, res, (error: unknown) => {
    if (error instanceof multer.MulterError && error.code === 'LIMIT_FILE_SIZE')
      return next(new DomainError('tooLarge', 'fileTooLarge', `The file is larger than ${largestImageBytes / 1024 / 1024} MB.`))
    if (error) return next(new DomainError('invalid', 'file', 'The file could not be read. Send one file in the field named file.'))
    req.body = req.file ? { fileName: req.file.originalname, bytes: req.file.buffer } : {}
    next()
  })
}
