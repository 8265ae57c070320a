import sanitize from 'sanitize-html'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { RecordValues } from '../../domain/resources/schema.ts'
import { requireText } from '../../domain/values/unknownValues.ts'

const options: sanitize.IOptions = {
  allowedTags: [
    'h1',
    'h2',
    'h3',
    'h4',
    'p',
    'br',
    'hr',
    'blockquote',
    'ul',
    'ol',
    'li',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'code',
    'a',
    'img',
  ],
  allowedAttributes: { a: ['href'], img: ['src', 'alt'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer' }) },
}

/** Removes everything that rich text may not contain, such as scripts, event attributes and styles (behaviour B-124). */
function cleanHtml(html: string): string {
  return sanitize(html, { ...options, allowedAttributes: { ...options.allowedAttributes, a: ['href', 'rel'] } }).trim()
}

/** Returns a record with its rich text sanitised. Text without visible content becomes null. */
export function cleanRichText(resource: AnyResource, values: RecordValues): RecordValues {
  const rich = Object.entries(resource.fields).filter(([name, field]) => field.kind === 'richText' && typeof values[name] === 'string')
  if (!rich.length) return values
  return { ...values, ...Object.fromEntries(rich.map(([name]) => [name, clean(requireText(values[name]))])) }
}

function clean(html: string): string | null {
  const cleaned = cleanHtml(html)
  return /<img|[^\s]/.test(cleaned.replace(/<(?!img)[^<>]*>/g, '')) ? cleaned : null
}
