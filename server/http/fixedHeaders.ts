import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'

/**
 * Returns the headers that a middleware sets on every reply, computed once.
 * @returns names and values alternately, as `writeHead` takes them
 */
export function computeFixedHeaders(handler: RequestHandler): string[] {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  let isDone = false
  // The types also require the methods that Express adds, which this middleware does not call.
  handler(request as Parameters<RequestHandler>[0], response as Parameters<RequestHandler>[1], (error?: unknown) => {
    if (error) throw error
    isDone = true
  })
  if (!isDone) throw new Error('The headers are not the same for every answer.')
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)])
}
