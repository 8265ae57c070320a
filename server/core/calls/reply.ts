import { z } from 'zod'
import { env } from '../settings.ts'

/** Replies are held against their description wherever `CHECK_REPLIES=1` is set, as tests do; elsewhere that time belongs to the caller. */
const isChecked = env.CHECK_REPLIES === '1'

/** The output of a procedure as tRPC takes it, with the schema that describes it. */
export interface Reply<In, Out> {
  _input: In
  _output: Out
  schema: z.ZodType
  parse(value: unknown): Out
}

/**
 * Says what a procedure answers. The schema is what the description of the API shows; the value goes out as the procedure gave it, nothing
 * is added to it or taken away.
 * @throws Error where replies are checked, for one that is not as described
 */
export function reply<S extends z.ZodType>(schema: S): Reply<z.input<S>, z.output<S>> {
  const checked: Omit<Reply<z.input<S>, z.output<S>>, '_input' | '_output'> = {
    schema,
    parse(value: z.output<S>) {
      const found = isChecked ? schema.safeParse(value) : undefined
      if (!found || found.success) return value
      const message = `A reply is not as it is described:\n${z.prettifyError(found.error)}`
      console.error(message)
      throw new Error(message)
    },
  }
  // The two types are for the compiler alone: no value carries them.
  return checked as Reply<z.input<S>, z.output<S>>
}

/** The description of a procedure's reply. @returns undefined for a procedure that has none */
export function schemaOfReply(output: unknown): z.ZodType | undefined {
  return typeof output === 'object' && output !== null && 'schema' in output && output.schema instanceof z.ZodType
    ? output.schema
    : undefined
}

/** A call that has nothing to say but that it was done. */
export const nothing = reply(z.void())

/** A download: the REST adapter sends it as a file, the browser saves it. */
export interface FileReply<Body extends string | Buffer = string> {
  fileName: string
  contentType: string
  body: Body
  /** To be shown where it stands, not saved. */
  inline?: boolean
}

/** Of which kinds the files are that a schema stands for. */
export const contentTypes = z.registry<{ contentTypes: readonly string[] }>()

const fileShape = { fileName: z.string(), contentType: z.string(), inline: z.boolean().optional() }

const csv: z.ZodType<FileReply> = z.strictObject({ ...fileShape, body: z.string() }).meta({ id: 'CsvFile' })
contentTypes.add(csv, { contentTypes: ['text/csv'] })
/** A file for a spreadsheet, in UTF-8 with a heading line. */
export const csvReply = reply(csv)

const image: z.ZodType<FileReply<Buffer>> = z.strictObject({ ...fileShape, body: z.instanceof(Buffer) }).meta({ id: 'ImageFile' })
contentTypes.add(image, { contentTypes: ['image/*'] })
/** A picture, to be shown where it stands. */
export const imageReply = reply(image)

const anyFile = (id: string, ...types: readonly string[]) => {
  const file: z.ZodType<FileReply<Buffer>> = z.strictObject({ ...fileShape, body: z.instanceof(Buffer) }).meta({ id })
  contentTypes.add(file, { contentTypes: types })
  return reply(file)
}
/** A workbook of a spreadsheet. */
export const workbookReply = anyFile('WorkbookFile', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
/** A document to be printed. */
export const pdfReply = anyFile('PdfFile', 'application/pdf')
/** One file for a spreadsheet, or several in an archive. */
export const csvOrArchiveReply = anyFile('CsvOrArchiveFile', 'text/csv', 'application/zip')
