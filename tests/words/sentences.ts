import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../../server/core/root.ts'

/** A sentence or label that a person can read, with its place in the source. */
export interface Sentence {
  file: string
  line: number
  /** The words, with each inserted value as `{value}` and a choice of words as `{one | other}`. */
  text: string
}

/** Every sentence and label in a source file that a person can read: on a screen, in a reply, in a document or on a terminal. */
export function sentencesIn(file: string): Sentence[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true, kind)
  const sentences: Sentence[] = []
  const add = (node: ts.Node, text: string): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    sentences.push({ file, line, text: text.replace(/\s+/g, ' ').trim() })
  }
  const visit = (node: ts.Node): void => {
    if (isForProgramsOnly(node)) return
    if ((ts.isJsxElement(node) || ts.isJsxFragment(node)) && hasWords(node)) {
      add(node, textOfElement(node))
      if (ts.isJsxElement(node)) visit(node.openingElement)
      node.children.forEach(visitInserted)
      return
    }
    const text = textOf(node)
    if (text !== undefined && isForPeople(node, text)) add(node, text)
    ts.forEachChild(node, text === undefined ? visit : visitInserted)
  }
  /** Visits what is inserted into a sentence. Its words are already part of the sentence, so only attributes and calls are read. */
  const visitInserted = (node: ts.Node): void => {
    if (ts.isJsxElement(node)) {
      visit(node.openingElement)
      node.children.forEach(visitInserted)
    } else if (ts.isJsxSelfClosingElement(node)) visit(node.attributes)
    else ts.forEachChild(node, ts.isCallExpression(node) ? visit : visitInserted)
  }
  visit(source)
  return sentences
}

/** The text of a string, a template or strings joined by `+`; undefined for any other node. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ expression, literal }) => textOfInserted(expression) + literal.text).join('')
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined && right === undefined ? undefined : (left ?? textOfInserted(node.left)) + (right ?? textOfInserted(node.right))
}

function textOfInserted(node: ts.Expression): string {
  const text = textOf(node)
  if (text !== undefined) return text
  if (ts.isParenthesizedExpression(node)) return textOfInserted(node.expression)
  if (ts.isConditionalExpression(node)) return `{${textOfInserted(node.whenTrue)} | ${textOfInserted(node.whenFalse)}}`
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return `{${textOfInserted(node.right)} | }`
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) return textOfElement(node)
  return `{${node.getText().replace(/\s+/g, ' ').replace(/[{}]/g, '')}}`
}

/** Whether an element has words of its own, so that all its children form one sentence. */
function hasWords(node: ts.JsxElement | ts.JsxFragment): boolean {
  return node.children.some((child) => ts.isJsxText(child) && /\p{L}/u.test(child.text))
}

function textOfElement(node: ts.JsxElement | ts.JsxFragment): string {
  return node.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text
      if (ts.isJsxExpression(child)) return child.expression ? textOfInserted(child.expression) : ''
      return ts.isJsxSelfClosingElement(child) ? ' ' : textOfElement(child)
    })
    .join('')
}

const callsForPrograms =
  /^(Error|TypeError|RangeError|RegExp|URL|sql\.raw|log\.\w+|execFileSync|assertDefined|setAttribute|.*\.(includes|startsWith|endsWith|split|match|querySelector|getElementById|addEventListener))$/
const attributesForPrograms =
  /^(className|key|id|to|href|size|variant|color|type|role|data-.*|rel|target|inputMode|autoComplete|pattern|accept|d|viewBox|styles?|fill|stroke|strokeWidth|aria-live|aria-current|htmlFor|name|component|order|gap|justify|align|wrap|position|[wh]|[mp][tblrxy]?|c|fz|fw|ff|ta)$/
const propertiesForPrograms = /^(styles?|className|key|path|type|kind|method|format|fontFamily)$/

/** Whether nobody reads the strings in a node: modules, types, SQL, logs, failures that only programmers meet, and styles. */
function isForProgramsOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node) || ts.isTaggedTemplateExpression(node))
    return true
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) return callsForPrograms.test(node.expression.getText())
  if (ts.isJsxAttribute(node)) return attributesForPrograms.test(node.name.getText())
  return ts.isPropertyAssignment(node) && propertiesForPrograms.test(node.name.getText())
}

/** Whether a text is written for people: it has several words, or it is a word where only labels are. */
function isForPeople(node: ts.Node, text: string): boolean {
  const words = text.replace(/\{[^{}]*\}/g, ' ').trim()
  if (!/\p{L}{2}/u.test(words) || isCompared(node)) return false
  if (/^[a-z-]+:|^[/#.]|var\(--|^[a-z]+\/[a-z]|=>|^--/.test(words)) return false
  if (
    /^\((min|max)-width|^[\w-]+="|^\[|^(thead|tbody|a, button|input\[)|^\w+\. \.\w*$|^<\/?(sheetData|dataVal|definedName|formula)/.test(
      words,
    )
  )
    return false
  if (
    /^(select|insert|update|delete|from|where|create|alter|set|order by|with) /.test(words) &&
    /[a-z_]+ (from|into|set|table|where) |::/.test(words)
  )
    return false
  if (/\p{L}+,? \p{L}+/u.test(words) || (/ /.test(words) && /\p{L}{3}/u.test(words))) return true
  return isLabel(node) && /^\p{Lu}/u.test(words)
}

function isCompared({ parent }: ts.Node): boolean {
  return (
    ts.isElementAccessExpression(parent) ||
    ts.isCaseClause(parent) ||
    (ts.isBinaryExpression(parent) && /^([!=]==?|in)$/.test(parent.operatorToken.getText()))
  )
}

const labelAttributes =
  /^(label|title|placeholder|aria-label|description|heading|summary|tooltip|name|text|error|confirm\w*|\w*Label|\w*Title)$/
const labelProperties =
  /^(label|title|heading|placeholder|description|text|message|summary|help|singular|plural|name|headerName|header|caption|action|confirm\w*|one|many|\w*Label|\w*Title)$/

/** Whether a text is the value, or a possible value, of a label. */
function isLabel(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isJsxAttribute(at)) return labelAttributes.test(at.name.getText())
    if (ts.isJsxExpression(at) && (ts.isJsxElement(at.parent) || ts.isJsxFragment(at.parent))) return true
    if (ts.isPropertyAssignment(at)) return labelProperties.test(at.name.getText())
    if (!isWithinText(at)) return false
  }
  return false
}

function isWithinText(node: ts.Node): boolean {
  return (
    ts.isJsxExpression(node) ||
    ts.isConditionalExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isTemplateSpan(node) ||
    ts.isTemplateExpression(node) ||
    ts.isBinaryExpression(node) ||
    ts.isArrayLiteralExpression(node)
  )
}
