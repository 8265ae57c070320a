import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'

/** What a handler writes into the head of every answer alike, found out once. @returns names and values in turn, as node takes them */
export function fixedHeaders(handler: RequestHandler): string[] {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  let isDone = false
  // Express adds to both what such a handler has no need of.
  handler(request as Parameters<RequestHandler>[0], response as Parameters<RequestHandler>[1], (error?: unknown) => {
    if (error) throw error
    isDone = true
  })
  if (!isDone) throw new Error('The headers are not the same for every answer.')
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)])
}
