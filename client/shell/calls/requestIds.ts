/** Identifies this page, as loaded in this tab. */
const page = crypto.randomUUID()

/** Creates an id for a call, which the server writes into its log. */
export function createRequestId(): string {
  return `${page}_${crypto.randomUUID()}`
}

/** Whether this page made a call. */
export function isRequestOfThisPage(requestId: string | undefined): boolean {
  return requestId?.startsWith(page) ?? false
}
