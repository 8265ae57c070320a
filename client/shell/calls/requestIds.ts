/** Identifies this page in this tab. */
const page = crypto.randomUUID()

/** An id by which the server's log records a call. */
export function ownRequestId(): string {
  return `${page}_${crypto.randomUUID()}`
}

/** Whether this page made a call. */
export function isOwnRequest(requestId: string | undefined): boolean {
  return requestId?.startsWith(page) ?? false
}
