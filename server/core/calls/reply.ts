import { z } from 'zod'
import { env } from '../settings.ts'

/** Replies are validated against their schema if `CHECK_REPLIES=1`, as in tests. In production the validation would slow every call. */
const isChecked = env.CHECK_REPLIES === '1'

/** A procedure's output parser for tRPC, with the schema that documents it. */
export interface Reply<In, Out> {
  _input: In
  _output: Out
  schema: z.ZodType
  parse(value: unknown): Out
}

/**
 * Declares what a procedure answers. The schema documents the API; the value is sent unchanged.
 * @throws Error for a reply that does not match, if replies are checked
 */
export function reply<S extends z.ZodType>(schema: S): Reply<z.input<S>, z.output<S>> {
  const checked: Omit<Reply<z.input<S>, z.output<S>>, '_input' | '_output'> = {
    schema,
    parse(value: z.output<S>) {
      const found = isChecked ? schema.safeParse(value) : undefined
      if (!found || found.success) return value
      const message = `A reply does not match its schema:\n${z.prettifyError(found.error)}`
      console.error(message)
      throw new Error(message)
    },
  }
  // The two types exist only for the compiler.
  return checked as Reply<z.input<S>, z.output<S>>
}

/** The schema of a procedure's reply; undefined if it has none. */
export function getReplySchema(output: unknown): z.ZodType | undefined {
  return typeof output === 'object' && output !== null && 'schema' in output && output.schema instanceof z.ZodType
    ? output.schema
    : undefined
}

/** The reply of a call that returns nothing. */
export const emptyReply = reply(z.void())

/** A download: the REST adapter sends it as a file, and the browser saves it. */
export interface FileReply<Body extends string | Buffer = string> {
  fileName: string
  contentType: string
  body: Body
  /** The browser displays the file instead of saving it. */
  inline?: boolean
}

/** The possible content types of a file schema. */
export const contentTypeRegistry = z.registry<{ contentTypes: readonly string[] }>()

const fileShape = { fileName: z.string(), contentType: z.string(), inline: z.boolean().optional() }

const csv: z.ZodType<FileReply> = z.strictObject({ ...fileShape, body: z.string() }).meta({ id: 'CsvFile' })
contentTypeRegistry.add(csv, { contentTypes: ['text/csv'] })
/** A CSV file in UTF-8 with a heading row. */
export const csvReply = reply(csv)

const image: z.ZodType<FileReply<Buffer>> = z.strictObject({ ...fileShape, body: z.instanceof(Buffer) }).meta({ id: 'ImageFile' })
contentTypeRegistry.add(image, { contentTypes: ['image/*'] })
/** An image to be displayed. */
export const imageReply = reply(image)

const anyFile = (id: string, ...types: readonly string[]) => {
  const file: z.ZodType<FileReply<Buffer>> = z.strictObject({ ...fileShape, body: z.instanceof(Buffer) }).meta({ id })
  contentTypeRegistry.add(file, { contentTypes: types })
  return reply(file)
}
/** A spreadsheet workbook. */
export const workbookReply = anyFile('WorkbookFile', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
/** A PDF document for printing. */
export const pdfReply = anyFile('PdfFile', 'application/pdf')
/** One CSV file, or several in an archive. */
export const csvOrArchiveReply = anyFile('CsvOrArchiveFile', 'text/csv', 'application/zip')
