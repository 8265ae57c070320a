/** Identifies this page in this tab. */
const page = crypto.randomUUID()

/** An id by which the server's log records a call. */
export function createRequestId(): string {
  return `${page}_${crypto.randomUUID()}`
}

/** Whether this page made a call. */
export function isRequestOfThisPage(requestId: string | undefined): boolean {
  return requestId?.startsWith(page) ?? false
}
